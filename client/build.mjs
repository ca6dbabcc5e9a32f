// Bundles the extension (out/extension.js), the timeline's page (out/timeline.js, .css) and, with --tests, the unit tests.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(here, '..', 'out');
const release = process.argv.includes('--release');
const common = { bundle: true, minify: release, sourcemap: release ? false : 'linked', logLevel: 'warning' };

fs.rmSync(out, { recursive: true, force: true });
await esbuild.build({
  ...common, entryPoints: [path.join(here, 'src/extension.ts')], outfile: path.join(out, 'extension.js'),
  platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'],
});
await esbuild.build({
  ...common, entryPoints: [path.join(here, 'src/timeline/page.ts'), path.join(here, 'src/timeline/page.css')],
  outdir: out, entryNames: 'timeline', platform: 'browser', format: 'iife', target: 'es2022',
});
if (process.argv.includes('--tests')) {
  const folder = path.join(here, 'test');
  await esbuild.build({
    ...common, entryPoints: fs.readdirSync(folder).filter((name) => name.endsWith('.test.ts')).map((name) => path.join(folder, name)),
    outdir: path.join(out, 'test'), platform: 'node', format: 'cjs', target: 'node20', external: ['typescript'],
  });
}

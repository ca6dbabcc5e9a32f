// Runs inside the real extension host, on the installed package: `require('vscode')` is the real API.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const Mocha = require(process.env.EDITOR_TEST_MOCHA);

const ID = 'autograd-hazards.autograd-hazards';
const HAZARD = 'import torch\n\nw = torch.ones(3, requires_grad=True)\nh = torch.sigmoid(w * 2)\nh *= 2\nh.sum().backward()\n';

async function until(ask, what, patience = 60_000) {
  for (const end = Date.now() + patience; ;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

exports.run = async () => {
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, reporter: 'spec', color: false });
  mocha.suite.emit('pre-require', globalThis, null, mocha);
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const open = async (name, text) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    return document;
  };
  const findings = (document) => vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source?.startsWith('autograd-hazards'));
  const codes = (document) => findings(document).map(({ code }) => code.value);

  describe('the extension in a real extension host', () => {
    let api;
    let document;

    it('is activated by Python alone, in less than 100 ms', async () => {
      const extension = vscode.extensions.getExtension(ID);
      assert.ok(extension, 'it is installed');
      assert.equal(extension.isActive, false);
      document = await open('train.py', HAZARD);
      api = await until(() => extension.isActive && extension.exports, 'activation');
      console.log(`activation: ${api.activationMilliseconds.toFixed(1)} ms`);
      assert.ok(api.activationMilliseconds < 100);
    });

    it('shows the first findings soon after it is activated', async () => {
      const begun = Date.now();
      await until(() => findings(document).length, 'findings');
      console.log(`first findings: ${Date.now() - begun} ms after activation, server up after ${api.server.lastStart.milliseconds} ms`);
      assert.deepEqual(codes(document), ['AGH301']);
    });

    it('gives each finding its place, its story and what it needs to be asked about', () => {
      const [finding] = findings(document);
      assert.equal(finding.range.start.line, 4);
      assert.equal(finding.severity, vscode.DiagnosticSeverity.Error);
      assert.match(finding.code.target.toString(), /AGH301/);
      assert.deepEqual(finding.relatedInformation.map(({ location }) => location.range.start.line), [3, 4, 5]);
      assert.equal(finding.data.code, 'AGH301');
      assert.ok(finding.data.id);
    });

    it('tells its situation', async () => {
      await until(() => api.server.situation.state === 'ready', 'rest');
      const { situation, lastStart } = api.server;
      assert.equal(situation.kind, 'server');
      assert.match(situation.torch, /^\d+\.\d+/);
      assert.equal(situation.launch.origin, 'bundled');
      assert.equal(lastStart.plan.kind, 'launch');
      assert.equal(lastStart.interpreters[0].source, 'setting');
    });

    it('finds another file within 3 seconds', async () => {
      const begun = Date.now();
      const second = await open('second.py', 'import torch\nw = torch.ones(3, requires_grad=True)\nw += 1\n');
      await until(() => findings(second).length, 'findings');
      const took = Date.now() - begun;
      console.log(`findings of another file: ${took} ms after opening`);
      assert.deepEqual(codes(second), ['AGH302']);
      assert.ok(took < 3000);
      await vscode.window.showTextDocument(document);
    });

    it('follows what is typed', async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(4, 0), '# ');
      await vscode.workspace.applyEdit(edit);
      const begun = Date.now();
      await until(() => findings(document).length === 0, 'no findings');
      console.log(`findings after an edit: ${Date.now() - begun} ms`);
      await vscode.commands.executeCommand('undo');
      await until(() => findings(document).length === 1, 'the finding again');
    });

    it('offers a fix that can be applied and undone', async () => {
      // Asked as often as it takes: VS Code gives up a request when anything changes, and a fix is tried before it is offered.
      const fix = await until(async () => {
        const [finding] = findings(document);
        const actions = finding && await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, finding.range, vscode.CodeActionKind.QuickFix.value, 20);
        return actions?.find(({ edit, title }) => edit && title.startsWith('Write `h = h'));
      }, 'a fix');
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      await until(() => findings(document).length === 0, 'no findings');
      assert.match(document.getText(), /h = h \* 2/);
      await vscode.commands.executeCommand('undo');
      await until(() => findings(document).length === 1, 'the finding again');
    });

    it('fixes a whole file', async () => {
      await vscode.commands.executeCommand('autogradHazards.fixFile');
      await until(() => findings(document).length === 0, 'no findings');
      await vscode.commands.executeCommand('undo');
      await until(() => findings(document).length === 1, 'the finding again');
    });

    it('draws the story of the finding at the cursor', async () => {
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(4, 2, 4, 2);
      await vscode.commands.executeCommand('autogradHazards.showTimeline');
      const view = await until(() => api.timeline.view, 'the timeline');
      assert.equal(view.code, 'AGH301');
      assert.deepEqual(view.events.map(({ role, place }) => [role, place]), [['saved', 'train.py:4'], ['changed', 'train.py:5'], ['fails', 'train.py:6']]);
      assert.equal(view.events[1].marked, 'h *= 2');
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    });

    it('has every command of its manifest', async () => {
      const there = new Set(await vscode.commands.getCommands(true));
      const { commands } = vscode.extensions.getExtension(ID).packageJSON.contributes;
      assert.deepEqual(commands.map(({ command }) => command).filter((command) => !there.has(command)), []);
    });

    it('counts settings at once', async () => {
      const section = vscode.workspace.getConfiguration('autogradHazards');
      await section.update('severity', { AGH301: 'hint' }, vscode.ConfigurationTarget.Workspace);
      await until(() => findings(document)[0]?.severity === vscode.DiagnosticSeverity.Hint, 'a hint');
      await section.update('severity', undefined, vscode.ConfigurationTarget.Workspace);
      await until(() => findings(document)[0]?.severity === vscode.DiagnosticSeverity.Error, 'an error');
    });

    it('restarts', async () => {
      await vscode.commands.executeCommand('autogradHazards.restart');
      assert.equal(api.server.situation.kind, 'server');
      await until(() => findings(document).length === 1, 'the finding again');
    });

    it('counts settings after a restart, too', async () => {
      const section = vscode.workspace.getConfiguration('autogradHazards');
      await section.update('severity', { AGH301: 'warning' }, vscode.ConfigurationTarget.Workspace);
      await until(() => findings(document)[0]?.severity === vscode.DiagnosticSeverity.Warning, 'a warning', 15000);
      await section.update('severity', undefined, vscode.ConfigurationTarget.Workspace);
      await until(() => findings(document)[0]?.severity === vscode.DiagnosticSeverity.Error, 'an error', 15000);
    });

    it('says why it cannot start, and starts once it can', async () => {
      const section = vscode.workspace.getConfiguration('autogradHazards');
      await section.update('path', ['/does/not/exist'], vscode.ConfigurationTarget.Workspace);
      await until(() => api.server.situation.state === 'error', 'an error');
      await section.update('path', undefined, vscode.ConfigurationTarget.Workspace);
      await until(() => api.server.situation.state === 'ready', 'the server');
      await until(() => findings(document).length === 1, 'the finding again');
    });

    it('analyses documents that are not saved', async () => {
      const untitled = await vscode.workspace.openTextDocument({ language: 'python', content: HAZARD });
      await vscode.window.showTextDocument(untitled);
      await until(() => findings(untitled).length === 1, 'the finding');
    });
  });
  await new Promise((resolve, reject) => mocha.run((failed) => (failed ? reject(new Error(`${failed} tests failed`)) : resolve())));
};

/** The commands of the palette and of code actions; each has its file. */

import * as vscode from 'vscode';
import { checkAllFiles } from './checkAllFiles';
import { debugInformation } from './debugInformation';
import { explainTraceback } from './explainTraceback';
import { fixFile } from './fixFile';
import { openExample } from './openExample';
import { openRule } from './openRule';
import { runWithWitness } from './runWithWitness';
import { selectInterpreter } from './selectInterpreter';
import type { Services } from './services';
import { showTimeline } from './showTimeline';

export function registerCommands(context: vscode.ExtensionContext, services: Services): void {
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    showTimeline: (uri, id) => showTimeline(services, uri, id),
    openRule: (code) => openRule(services, code),
    fixFile: () => fixFile(services),
    checkAllFiles: () => checkAllFiles(services),
    explainTraceback: (text) => explainTraceback(services, text),
    runWithWitness: () => runWithWitness(services),
    openExample: () => openExample(),
    restart: () => services.server.restart(),
    showLogs: () => services.log.show(),
    debugInformation: () => debugInformation(services),
    selectInterpreter: () => selectInterpreter(services),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(`autogradHazards.${name}`, run));
  }
}

/** The language status item: what the server is doing, for which torch, and the way out when something is wrong. */

import * as vscode from 'vscode';
import { OLDEST_PYTHON, versionText } from './launch';
import type { Server, Situation } from './server';

export const SELECTOR: vscode.DocumentSelector = [
  { language: 'python' },
  { notebookType: 'jupyter-notebook', language: 'python' },
];

/** What the item shows for a situation. */
interface Shown {
  readonly text: string;
  readonly detail?: string;
  readonly severity: vscode.LanguageStatusSeverity;
  readonly busy?: boolean;
  readonly command: vscode.Command;
}

export function createStatus(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('autogradHazards.status', SELECTOR);
  item.name = 'Autograd Hazards';
  const show = (situation: Situation): void => {
    const shown = describe(situation);
    item.text = shown.text;
    item.detail = shown.detail ?? 'Autograd Hazards';
    item.severity = shown.severity;
    item.busy = shown.busy ?? false;
    item.command = shown.command;
    item.accessibilityInformation = { label: `Autograd Hazards: ${shown.text}` };
  };
  show(server.situation);
  return vscode.Disposable.from(item, server.onDidChange(show));
}

function describe(situation: Situation): Shown {
  const { Information, Warning, Error } = vscode.LanguageStatusSeverity;
  const logs: vscode.Command = { command: 'autogradHazards.showLogs', title: vscode.l10n.t('Open logs') };
  const oldest = OLDEST_PYTHON.join('.');
  switch (situation.kind) {
    case 'stopped':
      return { text: vscode.l10n.t('The server is not running.'), severity: Information, command: logs };
    case 'none': {
      const choose: vscode.Command = { command: 'autogradHazards.selectInterpreter', title: vscode.l10n.t('Select interpreter') };
      if (situation.reason === 'not-installed') {
        return { text: vscode.l10n.t('autograd-hazards is not installed in your Python.'), detail: 'pip install autograd-hazards', severity: Error, command: choose };
      }
      const detail = situation.newest ? vscode.l10n.t('The newest found is Python {0}.', versionText(situation.newest)) : vscode.l10n.t('No Python was found.');
      return { text: vscode.l10n.t('Python {0} or newer is needed.', oldest), detail, severity: Error, command: choose };
    }
    case 'server': {
      const torch = situation.torch ? `torch ${situation.torch}` : undefined;
      const detail = situation.assumed ? vscode.l10n.t('Autograd Hazards found no torch in your Python') : 'Autograd Hazards';
      switch (situation.state) {
        case 'starting':
          return { text: vscode.l10n.t('Starting…'), severity: Information, busy: true, command: logs };
        case 'analysing':
          return { text: torch ?? vscode.l10n.t('Ready'), detail: vscode.l10n.t('Analysing…'), severity: Information, busy: true, command: logs };
        case 'ready':
          return { text: torch ?? vscode.l10n.t('Ready'), detail, severity: situation.message ? Warning : Information, command: logs };
        case 'error':
          return { text: situation.message ?? vscode.l10n.t('The server has failed.'), severity: Error, command: logs };
      }
    }
  }
}

/** Says what went wrong, with the way to the logs. */
export function offerLogs(text: string): void {
  const logs = vscode.l10n.t('Open logs');
  void vscode.window.showErrorMessage(text, logs).then((answer) => {
    if (answer === logs) void vscode.commands.executeCommand('autogradHazards.showLogs');
  });
}

/** Says once per start, in a message with the remedy, that there is no Python to run on. */
export function warnWithoutPython(server: Server): vscode.Disposable {
  return server.onDidChange(async (situation) => {
    if (situation.kind !== 'none') return;
    const choose = vscode.l10n.t('Select interpreter');
    const logs = vscode.l10n.t('Open logs');
    const oldest = OLDEST_PYTHON.join('.');
    const { newest } = situation;
    const text = situation.reason === 'not-installed'
      ? vscode.l10n.t('Autograd Hazards: this package uses the autograd-hazards of your environment, and there is none. Install it (pip install autograd-hazards) or select an interpreter that has it.')
      : newest === null
        ? vscode.l10n.t('Autograd Hazards needs Python {0} or newer to run on, and found none.', oldest)
        : vscode.l10n.t('Autograd Hazards needs Python {0} or newer to run on; the newest found is Python {1} ({2}).', oldest, versionText(newest), newest.path);
    const answer = await vscode.window.showWarningMessage(text, choose, logs);
    if (answer === choose) await vscode.commands.executeCommand('autogradHazards.selectInterpreter');
    if (answer === logs) await vscode.commands.executeCommand('autogradHazards.showLogs');
  });
}

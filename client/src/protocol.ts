/** What client and server say to each other beyond the Language Server Protocol. */

import { NotificationType, RequestType, type Location, type TextDocumentIdentifier } from 'vscode-languageclient/node';

/** What an event does to the lane it lies on. */
export type Role = 'built' | 'saved' | 'changed' | 'freed' | 'called' | 'fails' | 'used' | 'cut' | 'kept';
export type LaneKind = 'tensor' | 'graph' | 'parameter' | 'optimizer';

export interface Lane {
  readonly id: string;
  readonly kind: LaneKind;
  readonly label: string;
}

/** One thing that happens, in order of execution. */
export interface TimelineEvent {
  readonly order: number;
  readonly lane: string;
  readonly role: Role;
  readonly text: string;
  readonly location: Location;
}

/** A finding's story, ready to be drawn. */
export interface Timeline {
  readonly title: string;
  readonly code: string;
  readonly name: string;
  readonly consequence: string;
  readonly severity: string;
  readonly lanes: readonly Lane[];
  readonly events: readonly TimelineEvent[];
}

/** What the server attaches to each diagnostic. */
export interface FindingData {
  readonly id: string;
  readonly code: string;
  readonly fixes: boolean;
}

export interface ServerStatus {
  readonly state: 'starting' | 'analysing' | 'ready' | 'error';
  readonly torch?: string;
  /** Whether no torch was found, so that findings are for the newest known. */
  readonly assumed?: boolean;
  readonly message?: string;
}

export interface Explanation {
  readonly markdown: string;
  readonly finding?: { readonly location?: Location };
}

export const timelineRequest = new RequestType<{ textDocument: TextDocumentIdentifier; id: string }, Timeline | null, void>(
  'autogradHazards/timeline',
);
export const explainRequest = new RequestType<{ text: string; textDocument?: TextDocumentIdentifier }, Explanation, void>(
  'autogradHazards/explain',
);
export const ruleRequest = new RequestType<{ code: string }, { markdown: string }, void>('autogradHazards/rule');
export const debugInformationRequest = new RequestType<object, { text: string }, void>('autogradHazards/debugInformation');
export const statusNotification = new NotificationType<ServerStatus>('autogradHazards/status');

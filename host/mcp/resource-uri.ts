// Builds and parses the URIs of the runtime's resources.

export type ResourceKind = 'receipt' | 'output' | 'task' | 'policy' | 'explanation' | 'approval';

const prefixes: Readonly<Record<ResourceKind, string>> = {
  receipt: 'evidence://receipt/',
  output: 'evidence://output/',
  task: 'task://',
  policy: 'policy://effective/',
  explanation: 'policy://explain/',
  approval: 'approval://',
};

/** All approvals that the session requested. */
export const approvalsUri = 'approvals://session';

export const templates: readonly {readonly kind: ResourceKind; readonly uriTemplate: string; readonly about: string}[] =
  [
    {kind: 'receipt', uriTemplate: `${prefixes.receipt}{id}`, about: 'The records of one call'},
    {
      kind: 'output',
      uriTemplate: `${prefixes.output}{id}{?offset}`,
      about: 'The recorded output of one call as JSON, in pages of a million characters',
    },
    {kind: 'task', uriTemplate: `${prefixes.task}{id}`, about: 'The current state of a task that you claimed'},
    {kind: 'policy', uriTemplate: `${prefixes.policy}{lane}`, about: 'What a new task of a lane may do, tool by tool'},
    {
      kind: 'explanation',
      uriTemplate: `${prefixes.explanation}{tool}{?input}`,
      about: 'The decision, with its reason, that a call with this JSON as its input would get; no tool runs',
    },
    {
      kind: 'approval',
      uriTemplate: `${prefixes.approval}{id}`,
      about: 'The current state of an approval that you requested',
    },
  ];

export function resourceUri(kind: ResourceKind, id: string): string {
  return prefixes[kind] + encodeURIComponent(id);
}

export function approvalUri(requestId: string): string {
  return resourceUri('approval', requestId);
}

export function outputUri(receiptId: string): string {
  return resourceUri('output', receiptId);
}

/** Undefined for a URI that is not one of these resources. */
export function parseResourceUri(uri: string): {readonly kind: ResourceKind; readonly id: string} | undefined {
  for (const {kind} of templates) {
    const prefix = prefixes[kind];
    const id = uri.startsWith(prefix) ? decode(uri.slice(prefix.length)) : undefined;
    if (id !== undefined) return {kind, id};
  }
  return undefined;
}

function decode(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid `%` escape: the runtime returns no such URI.
    return undefined;
  }
}

// Why a client gets no tools now, for example because the workspace does not load. The handshake succeeds anyway, so that the
// client can show the reason; each request then tries again.
import type {CallToolResult, Tool} from '@modelcontextprotocol/server';
import type {ToolFailure} from '@lumenflow/schemas';
import {failedCall} from './failed-call.ts';
import {failureContent} from './failure-content.ts';

export class Unavailable extends Error {
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'Unavailable';
    this.failure = failure;
  }
}

/** Returns the value of the work, or a substitute while nothing is available. */
export async function orUnavailable<T>(work: () => Promise<T>, instead: (reason: Unavailable) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unavailable) return instead(error);
    throw error;
  }
}

export const statusName = 'lumenflow_status';

/** Listed instead of all others, because many clients show a model only tools. */
export function statusTool({failure: {code, message}}: Unavailable): Tool {
  return {
    name: statusName,
    description: `LumenFlow has no tools now (${code}: ${message}). Call this tool for the reason and the remedy.`,
    inputSchema: {type: 'object', properties: {}},
    annotations: {readOnlyHint: true},
  };
}

export function unavailableCall({failure}: Unavailable): CallToolResult {
  return failedCall(failureContent({error: failure, output: {success: false, error: failure}}, new Set()));
}

/** The status once nothing is wrong any more: a client may call it from an earlier list. */
export function availableCall(tools: readonly Tool[]): CallToolResult {
  return {content: [{type: 'text', text: `LumenFlow serves ${tools.length} tools: \`tools/list\` returns them`}]};
}

// A dry run over MCP: requested in a call's `_meta`. The result contains the diff as text and the changes in `_meta`.
import {ProtocolError, ProtocolErrorCode, type CallToolResult} from '@modelcontextprotocol/server';
import type {ToolOutput} from '@lumenflow/schemas';
import {diffFiles} from '../changes/diff-files.ts';
import {diffText} from '../changes/diff-text.ts';
import type {Conversation} from './conversation.ts';

const dryRunKey = 'lumenflow/dry_run';
const changesKey = 'lumenflow/changes';

/** Throws ProtocolError for a value that is not a boolean. */
export function isDryRun(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  const asked = meta?.[dryRunKey] ?? false;
  if (typeof asked === 'boolean') return asked;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `\`_meta["${dryRunKey}"]\` must be true or false`);
}

export async function withChanges(
  {runtime}: Conversation,
  result: CallToolResult,
  {metadata}: ToolOutput,
): Promise<CallToolResult> {
  const changes = metadata?.['changes'];
  if (changes === undefined || metadata?.receipt_id === undefined) return result;
  const set = (await runtime.changes.of(metadata.receipt_id))?.set;
  const files = set === undefined ? [] : await diffFiles(runtime, set);
  const {_meta: meta} = result;
  const text = files.length === 0 ? 'it would change no files' : `it would change:\n${diffText(files)}`;
  return {
    ...result,
    content: [...result.content, {type: 'text', text: `Dry run: nothing was applied; ${text}`}],
    _meta: {...meta, [changesKey]: changes},
  };
}

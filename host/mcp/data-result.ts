// The data of a call as a result of tools/call. A long text is cut, because the structured content contains the data once
// already, and no model reads megabytes; a resource has all of it.
import type {CallToolResult} from '@modelcontextprotocol/server';
import {failedCall} from './failed-call.ts';
import {outputUri} from './resource-uri.ts';
import {tooLarge} from './too-large.ts';

/** Of one text, in UTF-8 bytes. */
const textMax = 256 * 1024;
/** Characters of a longer text that are shown. */
const headMax = 8_192;

export function dataResult(data: unknown, receiptId: string | undefined): CallToolResult {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
  const structured = isObject && {structuredContent: data as Record<string, unknown>};
  if (receiptId === undefined || Buffer.byteLength(text) <= textMax)
    return {content: [{type: 'text', text}], ...structured};
  const uri = outputUri(receiptId);
  const cut = `${text.slice(0, headMax)}\n[cut after ${headMax} of ${text.length} characters: call for less, or read ${uri}]`;
  const link = {type: 'resource_link' as const, uri, name: `output of ${receiptId}`, mimeType: 'application/json'};
  return {content: [{type: 'text', text: cut}, link], ...structured};
}

export function withinMessage(
  result: CallToolResult,
  receiptId: string | undefined,
  messageMax: number | undefined,
): CallToolResult {
  const failure = tooLarge(result, receiptId, messageMax);
  return failure === undefined ? result : failedCall(failure);
}

// The data of a call as a result of tools/call. A long text is cut, because the structured content contains the data once
// already, and no model reads megabytes; a resource has all of it.
import type {CallToolResult} from '@modelcontextprotocol/server';
import {failedCall} from './failed-call.ts';
import {outputUri} from './resource-uri.ts';

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

/** Some clients close the connection when a message is longer than they can buffer. */
export function withinMessage(
  result: CallToolResult,
  receiptId: string | undefined,
  messageMax: number | undefined,
): CallToolResult {
  if (messageMax === undefined) return result;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= messageMax) return result;
  const where = receiptId === undefined ? '' : `; ${outputUri(receiptId)} has all of it, in pages`;
  return failedCall({
    code: 'OUTPUT_TOO_LARGE',
    message: `the call succeeded, but its result has ${bytes} bytes: a message can have ${messageMax}`,
    remedy: `call for less data${where}`,
    ...(receiptId !== undefined && {receipt_id: receiptId}),
    details: {bytes, max: messageMax},
  });
}

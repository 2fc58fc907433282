// Whether a result is larger than the messages that its client can receive: some clients close the connection then.
import type {FailureContent} from './failure-content.ts';
import {outputUri} from './resource-uri.ts';

/** Undefined if it is not. */
export function tooLarge(
  result: object,
  receiptId: string | undefined,
  messageMax: number | undefined,
): FailureContent | undefined {
  if (messageMax === undefined) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= messageMax) return undefined;
  const where = receiptId === undefined ? '' : `; ${outputUri(receiptId)} has all of it, in pages`;
  return {
    code: 'OUTPUT_TOO_LARGE',
    message: `the call succeeded, but its result has ${bytes} bytes: a message can have ${messageMax}`,
    remedy: `call for less data${where}`,
    ...(receiptId !== undefined && {receipt_id: receiptId}),
    details: {bytes, max: messageMax},
  };
}

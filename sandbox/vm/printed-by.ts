// What a hypervisor prints, for messages.
import type {Readable} from 'node:stream';
import {captureOutput} from '../commands/capture-output.ts';

/** Call the result to get the text so far. `stream`: undefined if the program did not start. */
export function printedBy(stream: Readable | undefined, maxBytes: number): () => string {
  if (stream === undefined) return () => '';
  const printed = captureOutput(stream, maxBytes);
  return () => printed().text;
}

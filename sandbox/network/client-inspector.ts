// Inspects everything that a client sends on a connection to a listed name. It checks each HTTP request against the name, not
// only the first. A keep-alive connection may carry a second request for another name at the same address.
import {failed, ok, type Outcome} from '../outcome.ts';
import {inspectOpening} from './inspect-opening.ts';
import {createRequestBody, type RequestBody} from './request-body.ts';

export interface ClientInspector {
  /** Returns the data that may be forwarded now, in order. */
  take(chunk: Buffer): Passage;
  /** Called at the end of the data; returns the problem with it, if any. */
  end(): string | undefined;
}

export type Passage =
  /** `isFree`: nothing that follows needs inspection. */
  | {readonly kind: 'forward'; readonly parts: readonly Buffer[]; readonly isFree: boolean}
  | {readonly kind: 'refuse'; readonly problem: string};

export function createClientInspector(name: string): ClientInspector {
  /** Data from the beginning of a request, or the rest of a body; the first `sent` bytes are already forwarded. */
  let said: Buffer = Buffer.alloc(0);
  let sent = 0;
  let body: RequestBody | undefined;
  /** Whether data other than a request may follow. */
  let mayBeOther = true;
  let isFree = false;

  /** Returns the data that may be forwarded, or undefined if more is needed. */
  function step(): Outcome<Buffer | undefined, string> {
    if (body !== undefined) {
      const part = body.take(said);
      if (part.kind === 'malformed') return failed(`its HTTP request cannot be checked: ${part.problem}`);
      if (part.ended) body = undefined;
      return ok(part.bytes === 0 ? undefined : cut(part.bytes));
    }
    const opening = inspectOpening(said, name);
    switch (opening.kind) {
      case 'refuse':
        return failed(opening.problem);
      case 'pass':
        if (!mayBeOther) return failed('the data after its HTTP request is not an HTTP request');
        isFree = true;
        return ok(cut(said.length));
      case 'request':
        mayBeOther = opening.head.maySwitch;
        if (opening.head.body !== 0) body = createRequestBody(opening.head.body);
        return ok(cut(opening.head.bytes));
      case 'more': {
        const harmless = said.subarray(sent, opening.harmless);
        sent += harmless.length;
        return ok(harmless.length === 0 ? undefined : harmless);
      }
      default:
        return opening satisfies never;
    }
  }

  function cut(bytes: number): Buffer {
    const part = said.subarray(sent, bytes);
    said = said.subarray(bytes);
    sent = 0;
    return part;
  }

  return {
    take(chunk) {
      said = said.length === 0 ? chunk : Buffer.concat([said, chunk]);
      const parts: Buffer[] = [];
      while (said.length > 0) {
        const part = step();
        if (!part.ok) return {kind: 'refuse', problem: part.problem};
        if (part.value === undefined) break;
        parts.push(part.value);
      }
      return {kind: 'forward', parts, isFree};
    },
    end: () => (sent < said.length ? 'it ended before it named a host' : undefined),
  };
}

// Reads a request's body within a size limit. Returns JSON, or a refusal with the location of the error.
import {failed, inputBounds, ok, type Failed, type Outcome} from '@lumenflow/kernel';
import type {IncomingMessage} from 'node:http';
import {refuse, type Reply} from '../reply.ts';
import {exceededBound} from './exceeded-bound.ts';
import {createTurn} from './create-turn.ts';
import {locateJsonError} from './locate-json-error.ts';

export const bodyBytesMax: number = 10 * 1024 * 1024;

/** Evidence cannot be nested deeper, and no JSON writer here can overflow its stack. */
const depthMax = 512;

const namesAround = 1_000;

const utf8 = new TextDecoder('utf-8', {fatal: true});

export type ReadBody = Outcome<unknown, Reply>;

/** A missing body is an empty object. The request must not have been read before. */
export type BodyReader = (incoming: IncomingMessage) => Promise<ReadBody>;

/** Bodies that were read in one turn of the event loop continue together: see `createTurn`. */
export function createBodyReader(): BodyReader {
  const endOfTurn = createTurn();
  return async (incoming) => {
    const read = await readJsonBody(incoming);
    await endOfTurn();
    return read;
  };
}

async function readJsonBody(incoming: IncomingMessage): Promise<ReadBody> {
  if (Number(incoming.headers['content-length'] ?? 0) > bodyBytesMax) return tooLarge();
  const bytes = await readBytes(incoming);
  if (!bytes.ok) return bytes;
  if (bytes.value.length === 0) return ok({});
  return refuseMediaType(incoming.headers) ?? (await refuseMany(bytes.value)) ?? parse(bytes.value);
}

const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/scim+json']);

function refuseMediaType(headers: IncomingMessage['headers']): Failed<Reply> | undefined {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (jsonTypes.has(type.trim().toLowerCase()) && encoding.toLowerCase() === 'identity') return undefined;
  return failed(
    refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      'the body must be JSON: send it with `content-type: application/json`, not compressed',
    ),
  );
}

/** Uses events, because a web stream costs more than the rest of a short request. */
function readBytes(incoming: IncomingMessage): Promise<Outcome<Buffer, Reply>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (outcome: Outcome<Buffer, Reply>): void => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= bodyBytesMax) return;
      incoming.pause();
      end(tooLarge());
    };
    const onEnd = (): void => end(ok(Buffer.concat(chunks)));
    // The connection broke or timed out, so the answer probably does not arrive.
    const onClose = (): void => end(failed(refuse('BODY_INCOMPLETE', 'the body is incomplete')));
    incoming.on('data', onData).on('end', onEnd).on('close', onClose);
    if (incoming.destroyed) onClose();
  });
}

function tooLarge(): Failed<Reply> {
  const message = `the body is larger than ${bodyBytesMax} bytes`;
  return failed(refuse('BODY_TOO_LARGE', message, {bytes_max: bodyBytesMax}));
}

/** A call's input has its own, exact bounds, and a refusal of the kernel is recorded. The request around it has a few names more. */
async function refuseMany(bytes: Buffer): Promise<Failed<Reply> | undefined> {
  const bounds = {names: inputBounds.names + namesAround, values: inputBounds.values + namesAround};
  const exceeded = await exceededBound(bytes, bounds);
  if (exceeded === undefined) return undefined;
  const what = exceeded === 'names' ? 'names of properties' : 'values';
  const message = `the body contains more than ${bounds[exceeded]} ${what}: pass them in a file, or in several calls`;
  return failed(refuse('BODY_TOO_LARGE', message, {limit: exceeded, bound: bounds[exceeded]}));
}

function parse(bytes: Buffer): ReadBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return failed(refuse('INVALID_INPUT', 'the body is not UTF-8'));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const place = locateJsonError(text);
    if (!place) throw error;
    const {line, column, at_end} = place;
    const message = at_end
      ? `the body is not JSON: unexpected end at line ${line} column ${column}`
      : `the body is not JSON: unexpected character at line ${line} column ${column}`;
    return failed(refuse('INVALID_INPUT', message, {line, column}));
  }
  // Each level takes two characters.
  return text.length > 2 * depthMax && nestsTooDeep(value)
    ? failed(refuse('INVALID_INPUT', `the body is nested deeper than ${depthMax} levels`, {depth_max: depthMax}))
    : ok(value);
}

function nestsTooDeep(value: unknown): boolean {
  let level: readonly object[] = [value].filter(isObject);
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    level = level.flatMap((parent) => Object.values(parent).filter(isObject));
  }
  return level.length > 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

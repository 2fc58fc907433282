// Reads a request's body within a size limit. Returns JSON, or a refusal with the location of the error.
import type {IncomingMessage} from 'node:http';
import {refuse, type Reply} from '../reply.ts';
import {createTurn} from './create-turn.ts';
import {locateJsonError} from './locate-json-error.ts';

export const bodyBytesMax: number = 10 * 1024 * 1024;

/** Evidence cannot be nested deeper, and no JSON writer here can overflow its stack. */
const depthMax = 512;

const utf8 = new TextDecoder('utf-8', {fatal: true});

export type ReadBody = {readonly value: unknown} | {readonly refusal: Reply};

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
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (bytes.length === 0) return {value: {}};
  return refuseMediaType(incoming.headers) ?? parse(bytes);
}

function refuseMediaType(headers: IncomingMessage['headers']): ReadBody | undefined {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (type.trim().toLowerCase() === 'application/json' && encoding.toLowerCase() === 'identity') return undefined;
  return {
    refusal: refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      'the body must be JSON: send it with `content-type: application/json`, not compressed',
    ),
  };
}

/** Uses events, because a web stream costs more than the rest of a short request. */
function readBytes(incoming: IncomingMessage): Promise<Buffer | {readonly refusal: Reply}> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (outcome: Buffer | {readonly refusal: Reply}): void => {
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
    const onEnd = (): void => end(Buffer.concat(chunks));
    // The connection broke or timed out, so the answer probably does not arrive.
    const onClose = (): void => end({refusal: refuse('BODY_INCOMPLETE', 'the body is incomplete')});
    incoming.on('data', onData).on('end', onEnd).on('close', onClose);
    if (incoming.destroyed) onClose();
  });
}

function tooLarge(): {readonly refusal: Reply} {
  return {
    refusal: refuse('BODY_TOO_LARGE', `the body is larger than ${bodyBytesMax} bytes`, {bytes_max: bodyBytesMax}),
  };
}

function parse(bytes: Buffer): ReadBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return {refusal: refuse('INVALID_INPUT', 'the body is not UTF-8')};
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
    return {refusal: refuse('INVALID_INPUT', message, {line, column})};
  }
  // Each level takes two characters.
  return text.length > 2 * depthMax && nestsTooDeep(value)
    ? {refusal: refuse('INVALID_INPUT', `the body is nested deeper than ${depthMax} levels`, {depth_max: depthMax})}
    : {value};
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

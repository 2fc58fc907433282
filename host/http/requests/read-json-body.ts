// A request's body: bounded while it comes, then JSON or a refusal that says where it is not.
import {refuse, type Reply} from '../reply.ts';
import {locateJsonError} from './locate-json-error.ts';

export const bodyBytesMax: number = 10 * 1024 * 1024;

/** What is kept as evidence may not nest deeper, and no writer of JSON here must run out of stack. */
const depthMax = 512;

export type ReadBody = {readonly value: unknown} | {readonly refusal: Reply};

/** No body is an empty object. */
export async function readJsonBody(request: Request): Promise<ReadBody> {
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) return tooLarge();
  if (request.body === null) return {value: {}};
  const read = await readBytes(request.body);
  if ('refusal' in read) return read;
  if (read.bytes.length === 0) return {value: {}};
  return refuseMediaType(request.headers) ?? parse(read.bytes);
}

function refuseMediaType(headers: Headers): ReadBody | undefined {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (type.trim().toLowerCase() === 'application/json' && encoding.toLowerCase() === 'identity') return undefined;
  return {
    refusal: refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      'a body must be JSON: send it with `content-type: application/json`, not compressed',
    ),
  };
}

async function readBytes(
  body: ReadableStream<Uint8Array>,
): Promise<{readonly bytes: Buffer} | {readonly refusal: Reply}> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > bodyBytesMax) return tooLarge();
      chunks.push(chunk);
    }
  } catch {
    // The connection broke or ran out of time: most likely nobody hears this.
    return {refusal: refuse('BODY_INCOMPLETE', 'the body did not come to its end')};
  }
  return {bytes: Buffer.concat(chunks)};
}

function tooLarge(): {readonly refusal: Reply} {
  return {
    refusal: refuse('BODY_TOO_LARGE', `the body is larger than ${bodyBytesMax} bytes`, {bytes_max: bodyBytesMax}),
  };
}

function parse(bytes: Buffer): ReadBody {
  let text: string;
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
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
      ? `the body is not JSON: it ends too early, at line ${line} column ${column}`
      : `the body is not JSON: unexpected character at line ${line} column ${column}`;
    return {refusal: refuse('INVALID_INPUT', message, {line, column})};
  }
  return nestsTooDeep(value)
    ? {refusal: refuse('INVALID_INPUT', `the body nests deeper than ${depthMax} levels`, {depth_max: depthMax})}
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

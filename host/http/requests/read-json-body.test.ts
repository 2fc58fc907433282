import {expect, test} from 'vitest';
import {bodyBytesMax, readJsonBody} from './read-json-body.ts';

function post(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  headers: Record<string, string> = {'content-type': 'application/json'},
): Request {
  return new Request('http://localhost/', {method: 'POST', body, headers, ...(body !== null && {duplex: 'half'})});
}

async function refusalOf(
  request: Request,
): Promise<{status: number; error: {code: string; message: string; details?: object}}> {
  const read = await readJsonBody(request);
  if (!('refusal' in read)) throw new Error(`was read: ${JSON.stringify(read.value)}`);
  const {error} = read.refusal.body as {error: {code: string; message: string}};
  return {status: read.refusal.status, error};
}

test.each([
  ['nothing', post(null), {}],
  ['an empty body', post(''), {}],
  ['JSON', post('{"a":[1]}'), {a: [1]}],
  ['a charset', post('1', {'content-type': 'Application/JSON; charset=utf-8'}), 1],
])('reads %s', async (_, request, value) => {
  expect(await readJsonBody(request)).toEqual({value});
});

test.each([
  ['text', post('{}', {'content-type': 'text/plain'})],
  ['a form', post('a=1', {'content-type': 'application/x-www-form-urlencoded'})],
  ['no type', post(new Uint8Array([123, 125]), {})],
  ['compressed', post('{}', {'content-type': 'application/json', 'content-encoding': 'gzip'})],
])('refuses %s', async (_, request) => {
  expect(await refusalOf(request)).toMatchObject({status: 415, error: {code: 'UNSUPPORTED_MEDIA_TYPE'}});
});

test('says where it is not JSON', async () => {
  expect(await refusalOf(post('{"a": 1,\n  b: 2}'))).toEqual({
    status: 400,
    error: {
      code: 'INVALID_INPUT',
      message: 'the body is not JSON: unexpected character at line 2 column 3',
      details: {line: 2, column: 3},
    },
  });
  expect((await refusalOf(post('{"a": '))).error.message).toBe(
    'the body is not JSON: it ends too early, at line 1 column 7',
  );
});

test('refuses what is not UTF-8', async () => {
  const request = post(new Uint8Array([0x22, 0xff, 0x22]));
  expect(await refusalOf(request)).toMatchObject({status: 400, error: {message: 'the body is not UTF-8'}});
});

test('takes 512 levels and no more', async () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(await readJsonBody(post(nested(512)))).toHaveProperty('value');
  expect(await refusalOf(post(nested(513)))).toMatchObject({status: 400, error: {code: 'INVALID_INPUT'}});
  expect(await refusalOf(post(nested(1_000_000)))).toMatchObject({status: 400});
});

test('takes 10 MB and not a byte more, said beforehand or not', async () => {
  const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
  expect(await readJsonBody(post(text(bodyBytesMax)))).toHaveProperty('value');
  expect(await refusalOf(post(text(bodyBytesMax + 1)))).toMatchObject({status: 413, error: {code: 'BODY_TOO_LARGE'}});
  const claimed = post('1', {'content-type': 'application/json', 'content-length': String(bodyBytesMax + 1)});
  expect(await refusalOf(claimed)).toMatchObject({status: 413});
});

test('stops reading when the bound is passed', async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  expect(await refusalOf(post(endless))).toMatchObject({status: 413});
  expect(pulled).toBeLessThan(15);
});

test('a body that breaks off is refused', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('gone'));
    },
  });
  expect(await refusalOf(post(broken))).toMatchObject({status: 400, error: {code: 'BODY_INCOMPLETE'}});
});

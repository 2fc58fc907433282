// Servers that are not honest or not correct: nothing is removed that they do not return, and no list is read for ever.
import {createProcessTable, recordsOfCall} from '@lumenflow/kernel/conformance';
import {noteKeyOf, openFileState, openWorkspaceLog, type ArchiveStore} from '@lumenflow/kernel/node';
import {generateKeyPairSync} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {openS3Archive} from './index.ts';
import {startS3Server, type Lie, type S3Server} from './start-s3-server.fixture.ts';

const env = {AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret'};
const order = {before: '2999-01-01T00:00:00.000Z', by: 'ann', at: '2026-11-26T12:00:00.000Z'};

let server: S3Server;
let root: string;
beforeEach(async () => {
  server = await startS3Server(env.AWS_SECRET_ACCESS_KEY, 'evidence');
  root = mkdtempSync(join(tmpdir(), 'lumenflow-s3-'));
});
afterEach(async () => {
  await server.close();
  rmSync(root, {recursive: true});
});

const open = (): ArchiveStore => openS3Archive({location: 's3://evidence/shop', endpoint: server.endpoint}, env);

/** Archives one call with its contents. */
async function archiveCall(): Promise<number> {
  const state = await openFileState({stateFolder: root, processes: createProcessTable().start(), archive: open()});
  const {signer, verifierKey} = noteKeyOf('test', generateKeyPairSync('ed25519').privateKey);
  const signed = await openWorkspaceLog(state, {keys: {signer, verifierKeys: () => [verifierKey]}});
  try {
    await state.contents.put('{"id":"call-1"}');
    await state.evidence.append(recordsOfCall('call-1'), {fsync: true});
    await signed.checkpoint();
    before = logsHere();
    return (await state.archive?.(order))?.segments.length ?? 0;
  } finally {
    await signed.close();
    await state.close();
  }
}

/** Lines and contents before the archiving. */
let before: readonly string[];

function logsHere(): readonly string[] {
  return ['events', 'evidence/traces', 'evidence/inputs'].flatMap((folder) => {
    const names = readdirSync(join(root, folder), {withFileTypes: true}).filter((entry) => entry.isFile());
    return names.map(({name}) => `${name} ${readFileSync(join(root, folder, name), 'latin1')}`).toSorted();
  });
}

const half = (body: string | Uint8Array = ''): Buffer => Buffer.from(body).subarray(0, body.length / 2);

const lies: Readonly<Record<string, {readonly lie: Lie; readonly code: string; readonly message: RegExp}>> = {
  'says 200 and stores nothing': {
    lie: ({method, key = ''}, answer, objects) => {
      if (method === 'PUT') objects.delete(key);
      return answer;
    },
    code: 'LOG_CORRUPT',
    message: /does not contain `traces\/.*: nothing was removed/u,
  },
  'says that there is such an object, and has none': {
    lie: ({method, key = ''}, answer, objects) => {
      if (method !== 'PUT') return answer;
      objects.delete(key);
      return {status: 412};
    },
    code: 'LOG_CORRUPT',
    message: /does not contain `traces\/.*: nothing was removed/u,
  },
  'stores half of the body, with the etag of the whole': {
    lie: ({method, key = ''}, answer, objects) => {
      if (method !== 'PUT') return answer;
      const etag = `"${key.slice(-38, -6)}"`;
      objects.set(key, half(objects.get(key)));
      return {...answer, headers: {etag}};
    },
    code: 'LOG_CORRUPT',
    message: /contains something else as `traces\/.*: nothing was removed/u,
  },
  'returns half of the object': {
    lie: ({method}, answer) => (method === 'GET' ? {...answer, body: half(answer.body)} : answer),
    code: 'LOG_CORRUPT',
    message: /contains something else as `traces\/.*: nothing was removed/u,
  },
  'returns another object as long': {
    lie: ({method}, answer) =>
      method === 'GET' ? {...answer, body: Buffer.alloc(answer.body?.length ?? 0, 'x')} : answer,
    code: 'LOG_CORRUPT',
    message: /contains something else as `traces\/.*: nothing was removed/u,
  },
};

describe.each(Object.entries(lies))('a server that %s', (_, {lie, code, message}) => {
  test('gets nothing removed', async () => {
    server.lie = lie;
    await expect(archiveCall()).rejects.toMatchObject({code, message: expect.stringMatching(message)});
    for (const file of before) expect(logsHere()).toContain(file);
  });
});

test('a connection that ends within an object is reported, and nothing is removed', async () => {
  server.lie = ({method}, answer) => {
    if (method !== 'GET') return answer;
    const length = (answer.body?.length ?? 0) + 100;
    setImmediate(() => server.cut());
    return {...answer, headers: {'content-length': length}};
  };
  await expect(archiveCall()).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringMatching(/cannot be used: GET traces\/.* failed: /u),
  });
  for (const file of before) expect(logsHere()).toContain(file);
});

test('the bytes count, not the etag', async () => {
  server.lie = ({method}, answer) => (method === 'PUT' ? {...answer, headers: {etag: '"00"'}} : answer);
  expect(await archiveCall()).toBe(1);
  expect(before.filter((file) => file.includes('"call-1"') && logsHere().includes(file))).toEqual([]);
});

describe('a list that does not end', () => {
  const page = (keys: string, token: string): string =>
    `<ListBucketResult>${keys}<NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`;
  let asked: number;
  beforeEach(() => (asked = 0));

  test.each<[string, Lie, string, number]>([
    ['with the same token each time', () => ({status: 200, body: page('', 't')}), 'returned a page twice', 2],
    [
      'with tokens in turn',
      () => ({status: 200, body: page(`<Key>shop/${asked}</Key>`, String(asked % 3))}),
      'returned a page twice',
      4,
    ],
    [
      'with new tokens and no key',
      () => ({status: 200, body: page('', String(asked))}),
      '101 pages have no new key',
      101,
    ],
    [
      'with new tokens and the same key',
      () => ({status: 200, body: page('<Key>shop/a</Key>', String(asked))}),
      '101 pages have no new key',
      102,
    ],
  ])('%s is reported', async (_, lie, reason, pages) => {
    server.lie = (...all) => {
      asked += 1;
      return lie(...all);
    };
    await expect(open().list('')).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: `the archive s3://evidence/shop cannot be used: the list of objects does not end: ${
        reason.startsWith('returned') ? `the server ${reason}` : reason
      }`,
    });
    expect(asked).toBe(pages);
  });

  test('empty pages and keys that are listed twice do not fail', async () => {
    const pages = [
      page('', 'a'),
      page('<Key>shop/x</Key>', 'b'),
      '<ListBucketResult><Key>shop/x</Key></ListBucketResult>',
    ];
    server.lie = () => ({status: 200, body: pages[asked++] ?? ''});
    expect(await open().list('')).toEqual(['x']);
  });
});

import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {TokenFileError} from './token-file.ts';
import {openTokenStore} from './token-store.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lf-tokens-'));
});
afterEach(() => rmSync(root, {recursive: true}));

test('opening writes nothing; the first token is an admin’s, and is given once', async () => {
  const store = openTokenStore(root);
  expect(existsSync(join(root, '.lumenflow'))).toBe(false);
  const token = await store.issueFirst();
  expect(store.authenticate(token ?? '')).toEqual({name: 'admin', role: 'admin'});
  expect(await store.issueFirst()).toBeUndefined();
});

test('of many first starts at once, one gets the first token', async () => {
  const tokens = await Promise.all([1, 2, 3, 4].map(() => openTokenStore(root).issueFirst()));
  expect(tokens.filter((token) => token !== undefined)).toHaveLength(1);
});

test('many changes at once are all kept', async () => {
  const names = Array.from({length: 8}, (_, index) => `agent-${index}`);
  await Promise.all(names.map((name) => openTokenStore(root).issue({name, role: 'agent'})));
  const store = openTokenStore(root);
  expect(
    store
      .list()
      .map(({name}) => name)
      .toSorted(),
  ).toEqual(names);
});

test('tokens are long, distinct, and only their hashes are kept, for the owner alone', async () => {
  const store = openTokenStore(root);
  const tokens = [await store.issue({name: 'a', role: 'agent'}), await store.issue({name: 'b', role: 'operator'})];
  expect(new Set(tokens).size).toBe(2);
  const text = readFileSync(store.path, 'utf8');
  for (const token of tokens) {
    expect(token).toMatch(/^lf_[\w-]{43}$/);
    expect(text).not.toContain(token.slice(3));
  }
  expect(statSync(store.path).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, '.lumenflow', 'http')).mode & 0o777).toBe(0o700);
  expect(JSON.stringify(store.list())).not.toContain('sha256');
});

test('knows each token, and nothing else', async () => {
  const store = openTokenStore(root);
  expect(store.authenticate('')).toBeUndefined();
  const token = await store.issue({name: 'ci', role: 'agent'});
  expect(store.authenticate(token)).toEqual({name: 'ci', role: 'agent'});
  const {sha256} = (JSON.parse(readFileSync(store.path, 'utf8')) as {tokens: [{sha256: string}]}).tokens[0];
  for (const other of ['', `${token}x`, token.slice(0, -1), token.toUpperCase(), sha256]) {
    expect(store.authenticate(other)).toBeUndefined();
  }
});

test('a token that another process revokes is worth nothing at once', async () => {
  const store = openTokenStore(root);
  const token = await store.issue({name: 'ci', role: 'agent'});
  expect(store.authenticate(token)).toBeDefined();
  expect(await openTokenStore(root).revoke('ci')).toBe(true);
  expect(store.authenticate(token)).toBeUndefined();
  expect(await store.revoke('ci')).toBe(false);
});

test('names are unique identifiers', async () => {
  const store = openTokenStore(root);
  await store.issue({name: 'ci', role: 'agent'});
  await expect(store.issue({name: 'ci', role: 'admin'})).rejects.toThrow('the token `ci` already exists');
  await expect(store.issue({name: 'a b', role: 'agent'})).rejects.toThrow('`a b` is not a valid token name');
});

test('rejects every token if other users can read the file', async () => {
  const store = openTokenStore(root);
  const token = await store.issue({name: 'ci', role: 'agent'});
  chmodSync(store.path, 0o644);
  expect(() => store.authenticate(token)).toThrow('run `chmod 600` on it');
  expect(() => openTokenStore(root)).toThrow(TokenFileError);
  chmodSync(store.path, 0o600);
  expect(store.authenticate(token)).toBeDefined();
});

test('rejects every token if the file was removed', async () => {
  const store = openTokenStore(root);
  const token = await store.issue({name: 'ci', role: 'agent'});
  rmSync(store.path);
  expect(store.authenticate(token)).toBeUndefined();
});

test.each([
  '',
  '{',
  '[]',
  '{"tokens": {}}',
  '{"tokens": [{"name": "a", "role": "root", "sha256": "", "created_at": ""}]}',
])('a file with %j is not a valid token file', async (text) => {
  const store = openTokenStore(root);
  const token = await store.issue({name: 'ci', role: 'agent'});
  writeFileSync(store.path, text);
  expect(() => store.authenticate(token)).toThrow('is not a valid token file');
  await expect(store.issueFirst()).rejects.toThrow(TokenFileError);
});

function whoGetsIn(store: ReturnType<typeof openTokenStore>): unknown {
  try {
    return store.authenticate('x');
  } catch (error) {
    if (error instanceof TokenFileError) return undefined;
    throw error;
  }
}

test('reports a path at which no file can be created', async () => {
  const store = openTokenStore(root);
  writeFileSync(join(root, '.lumenflow'), '');
  await expect(store.issueFirst()).rejects.toThrow(TokenFileError);
  // A file where a folder should be reads as no file on newer Node: with or without an error, every token is rejected.
  expect(whoGetsIn(store)).toBeUndefined();
  rmSync(join(root, '.lumenflow'));
  mkdirSync(`${store.path}.next`, {recursive: true});
  await expect(store.issueFirst()).rejects.toThrow('cannot be changed');
  expect(existsSync(`${store.path}.lock`)).toBe(false);
});

test('reports a folder in place of the file', () => {
  mkdirSync(join(root, '.lumenflow', 'http', 'tokens.json'), {recursive: true, mode: 0o700});
  expect(() => openTokenStore(root)).toThrow('cannot be read');
});

test('reports a lock that is never released', async () => {
  const store = openTokenStore(root);
  await store.issueFirst();
  writeFileSync(`${store.path}.lock`, '');
  expect(await store.issueFirst()).toBeUndefined();
  await expect(store.issue({name: 'ci', role: 'agent'})).rejects.toThrow(`remove \`${store.path}.lock\``);
});

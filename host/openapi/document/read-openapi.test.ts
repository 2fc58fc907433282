// Documents that cannot be used, and what the message says.
import type {PackPin} from '@lumenflow/schemas';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, it, vi} from 'vitest';
import {readOpenapi} from './read-openapi.ts';

const workspaceRoot = mkdtempSync(join(tmpdir(), 'lumenflow-openapi-'));
afterAll(() => rmSync(workspaceRoot, {recursive: true}));

const read = async (document: string, text?: string) => {
  if (text !== undefined) writeFileSync(join(workspaceRoot, document), text);
  const pin: PackPin = {id: 'shop', version: '1.0.0', integrity: 'dev', source: 'openapi', document};
  const network = {key: '', resolve: () => Promise.reject(new Error('not used'))};
  return await readOpenapi(pin, {workspaceRoot, env: {}, network, signal: new AbortController().signal});
};
const head = 'openapi: 3.0.3\ninfo: {title: Shop, version: 1.0.0}\npaths: {}\n';
const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

it.each([
  ['cyclic.yaml', `${head}x-all: &all {again: *all}`, 'cannot be used'],
  ['deep.json', `{"openapi": "3.0.3", "x-deep": ${nested}}`, 'cannot be used'],
  ['many.yaml', `a: &a [${'x,'.repeat(200)}]\nb: &b [${'*a,'.repeat(200)}]`, 'Excessive alias count'],
  ['older.yaml', 'swagger: "2.0"', 'it is of version "2.0"'],
  ['empty.yaml', '', 'it has no `openapi: 3.x`'],
])('reports %s as a document that cannot be used', async (document, text, message) => {
  expect(await read(document, text)).toMatchObject({problem: {message: expect.stringContaining(message)}});
});

it('rejects an address with credentials, and does not repeat them', async () => {
  const found = await read('https://ada:s3cret@api.example/shop.yaml');
  expect(found).toMatchObject({problem: {message: 'the address contains a user name'}});
  expect(JSON.stringify(found)).not.toContain('s3cret');
});

it('follows redirects, but not from https to http', async () => {
  const texts: Readonly<Record<string, Response>> = {
    'https://api.example/moved': Response.redirect('https://api.example/shop.yaml', 302),
    'https://api.example/shop.yaml': new Response(head),
    'https://api.example/plain': Response.redirect('http://api.example/shop.yaml', 302),
  };
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.href);
    return texts[url.href] ?? new Response(head);
  });
  try {
    expect(await read('https://api.example/moved')).toMatchObject({ok: true});
    expect(await read('https://api.example/plain')).toMatchObject({
      problem: {message: 'https://api.example/plain redirects to http, without encryption'},
    });
    expect(asked).not.toContain('http://api.example/shop.yaml');
  } finally {
    vi.unstubAllGlobals();
  }
});

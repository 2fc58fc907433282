import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fillWorkspace, openHeldWritesBench, type HeldWritesBench} from './held-writes.fixture.ts';

let bench: HeldWritesBench;
beforeAll(() => {
  bench = openHeldWritesBench();
});
afterAll(async () => await bench.close());
beforeEach(() => fillWorkspace(bench));
afterEach(() => expect(bench.leftovers()).toEqual([]));

function write(path: string, content: string): void {
  writeFileSync(join(bench.root, path), content);
}

describe('by the exact patterns', () => {
  test.each([
    ['.env', 'echo SECRET=1 > docs/.env', 'docs/.env'],
    ['a trusted file', 'echo x > .mcp.json', '.mcp.json'],
    [
      'hooks of a repository made on the way',
      'mkdir -p docs/x/.git/hooks; echo x > docs/x/.git/hooks/post-checkout',
      'docs/x/.git',
    ],
    ['husky', 'mkdir .husky; echo x > .husky/pre-commit', '.husky'],
    ['a path that a deny overlay cuts', 'mkdir cut; echo x > cut/a', 'cut'],
  ])('%s is not to be had: all is discarded, naming it', async (_what, script, path) => {
    const before = bench.tree();
    const outcome = await bench.call(`echo innocent > docs/a.md; ${script}`);
    expect(outcome.output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path}});
    expect(outcome.output.error?.message).toContain(path);
    expect(outcome.changes?.applied).toBe(false);
    expect(bench.tree()).toEqual(before);
  });

  test('a trusted file that a scope names is written', async () => {
    const {output} = await bench.call('echo x > .npmrc', '.npmrc');
    expect(output).toMatchObject({success: true});
    expect(bench.tree()).toMatchObject({'.npmrc': '644 x\n'});
  });

  test.each([
    ['a symlink that leaves the tree', 'ln -s /etc docs/out', 'docs/out'],
    ['a relative one', 'ln -s ../../../../etc docs/out', 'docs/out'],
    ['one that leaves by another', 'ln -s .. docs/up; ln -s up/../../x docs/out', 'docs/out'],
    ['a FIFO', 'mkfifo docs/pipe', 'docs/pipe'],
  ])('%s is discarded with all the rest', async (_what, script, path) => {
    const before = bench.tree();
    const {output} = await bench.call(`echo innocent > docs/a.md; ${script}`, 'docs/**');
    expect(output.error).toMatchObject({code: 'SCOPE_DENIED', details: {path}});
    expect(bench.tree()).toEqual(before);
  });

  test('a name that is not UTF-8 is discarded', async () => {
    const before = bench.tree();
    const {output} = await bench.call('echo x > "docs/$(printf \'\\377\')"', 'docs/**');
    expect(output.error).toMatchObject({code: 'SCOPE_DENIED'});
    expect(bench.tree()).toEqual(before);
  });
});

describe('bounds', () => {
  const small = {write_bytes: 4 * 1024 * 1024, write_files: 100};
  test.each([
    ['bytes', 'head -c 2000000000 /dev/zero > docs/big', 'LIMIT_EXCEEDED'],
    [
      'bytes that the handler does not miss',
      'head -c 2000000000 /dev/zero > docs/big 2>/dev/null; true',
      'LIMIT_EXCEEDED',
    ],
    ['bytes of a hole', 'truncate -s 1T docs/hole', 'LIMIT_EXCEEDED'],
    ['files', 'i=0; while [ $i -lt 200 ]; do : > docs/f$i || exit 1; i=$((i+1)); done', 'LIMIT_EXCEEDED'],
  ])('more %s than allowed: discarded, and said so', async (_what, script, code) => {
    const before = bench.tree();
    const {output} = await bench.run({input: {script}, patterns: ['docs/**'], declared: {limits: small}});
    expect(output.error?.code).toBe(code);
    expect(output.error?.message).toMatch(/write_bytes|write_files/);
    expect(bench.tree()).toEqual(before);
  });

  test('more deletions than paths may change', async () => {
    for (let i = 0; i < 30; i++) write(`docs/deep/${i}`, '');
    const before = bench.tree();
    const {output} = await bench.run({
      input: {script: 'rm -r docs/deep'},
      patterns: ['docs/**'],
      declared: {limits: {write_files: 10}},
    });
    expect(output.error).toMatchObject({code: 'LIMIT_EXCEEDED', details: {limit: 'write_files'}});
    expect(bench.tree()).toEqual(before);
  });
});

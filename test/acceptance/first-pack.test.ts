// What docs/first-pack.md shows is done, block by block, in the order of the page.
import {execFile} from 'node:child_process';
import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

const repository = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(repository, 'docs/first-pack.md'), 'utf8');
// Inside the repository, so that the packages are found as they are once installed.
const scratch = join(repository, 'node_modules/.cache');
let home: string;
let folder: string;

interface Block {
  readonly info: string;
  readonly text: string;
}

const blocks: readonly Block[] = [...page.matchAll(/^```(\S.*)\n([^]*?)^```$/gm)].map(([, info = '', text = '']) => ({
  info,
  text,
}));

beforeAll(() => {
  mkdirSync(scratch, {recursive: true});
  home = mkdtempSync(join(scratch, 'first-pack-'));
  folder = home;
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

/** `cd` changes the folder of the commands after it, as in a shell that stays open. */
async function runLine(line: string): Promise<string> {
  const changed = /^cd (\S+)$/.exec(line)?.[1];
  if (changed !== undefined) {
    folder = join(folder, changed);
    return folder;
  }
  const path = [join(repository, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  return (await promisify(execFile)('sh', ['-c', line], {cwd: folder, env: {...process.env, PATH: path}})).stdout;
}

async function play({info, text}: Block): Promise<void> {
  const [kind, path = '', more] = info.split(' ');
  const lines = text.trimEnd().split('\n');
  if (info === 'sh fails') {
    for (const line of lines) {
      await expect(runLine(line), line).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('SCOPE_DENIED'),
      });
    }
  } else if (kind === 'sh') {
    for (const line of lines) await expect(runLine(line), line).resolves.not.toBe('');
  } else if (more === '(append)') appendFileSync(join(folder, path), text);
  else writeFileSync(join(folder, path), text);
}

describe('docs/first-pack.md', () => {
  test('shows commands and whole files', () => {
    expect(blocks.filter(({info}) => info.startsWith('sh')).length).toBeGreaterThan(5);
    expect(blocks.filter(({info}) => info.includes('.')).length).toBe(4);
  });

  for (const [index, block] of blocks.entries()) {
    test(`block ${index + 1}: ${block.info}`, () => play(block));
  }

  test('leaves the note that it tells of', () => {
    expect(readFileSync(join(folder, 'notes/first.md'), 'utf8')).toBe('Hello');
  });
});

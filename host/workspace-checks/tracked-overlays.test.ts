import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {compileMatcher, parsePattern, type Holes} from '@lumenflow/kernel/adapters';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {trackedOverlays} from './tracked-overlays.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tracked-'));
});
afterEach(() => rmSync(root, {recursive: true, force: true}));

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), {recursive: true});
    writeFileSync(join(root, path), 'x');
  }
}

const git = (...args: readonly string[]): unknown => execFileSync('git', args, {cwd: root, stdio: 'pipe'});

function holesOf(overlays: readonly string[]): Holes {
  const list = overlays.flatMap((text, index) => {
    const parsed = parsePattern(text);
    if (!parsed.ok) throw new Error(parsed.problem.message);
    return parsed.value.map((pattern) => ({pattern, where: `workspace.yaml:${index}`}));
  });
  const holeOver = (path: string): Holes['list'][number] | undefined =>
    list.find(({pattern}) => compileMatcher([pattern])(path));
  return {list, holeOver, cuts: (path) => holeOver(path) !== undefined, holeAround: () => undefined};
}

async function warnings(overlays: readonly string[]): Promise<readonly string[]> {
  const problems = await trackedOverlays({
    workspaceRoot: root,
    holes: holesOf(overlays),
    searchPath: process.env['PATH'] ?? '',
  });
  return problems.map(({code, where, message}) => `${code} ${where} ${message.split(',')[0] ?? ''}`);
}

test('a deny overlay over a file that git tracks causes a warning that names the file', async () => {
  put('secrets/a', 'secrets/b', 'deep/x.pem', 'src/a.ts', 'later.key');
  git('init', '-q');
  git('add', 'secrets', 'src', 'deep');
  expect(await warnings(['secrets/**', '**/*.pem', '*.key', 'none'])).toEqual([
    'DENY_OVERLAY_TRACKED workspace.yaml:1 `**/*.pem` hides `deep/x.pem`',
    'DENY_OVERLAY_TRACKED workspace.yaml:0 `secrets/**` hides `secrets/a` and 1 more',
  ]);
});

test("without a repository or an overlay there is no warning, and git's configuration runs no program", async () => {
  put('secrets/a');
  expect(await warnings(['secrets/**'])).toEqual([]);
  git('init', '-q');
  git('add', '.');
  git('config', 'core.fsmonitor', `touch ${join(root, 'ran')};:`);
  expect(await warnings([])).toEqual([]);
  expect(await warnings(['secrets/**'])).toHaveLength(1);
  expect(() => execFileSync('test', ['-e', join(root, 'ran')])).toThrow();
});

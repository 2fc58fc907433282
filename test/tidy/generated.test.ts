import {spawnSync} from 'node:child_process';
import {appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {root} from './repository.ts';

const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');

// `npm run check` compares the files themselves.
test('a stale generated file is found and named, and the others are what the schemas say', () => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, {recursive: true});
  const copy = mkdtempSync(join(cache, 'stale-'));
  onTestFinished(() => rmSync(copy, {recursive: true}));
  cpSync(join(root, 'schemas'), copy, {recursive: true});
  appendFileSync(join(copy, 'generated/types.ts'), '// edited by hand\n');
  const {status, stderr} = spawnSync(process.execPath, [tsx, join(copy, 'generate.ts'), '--check'], {encoding: 'utf8'});
  expect(status).toBe(1);
  const stale = stderr.match(/\S+(?= is stale)/g);
  expect(stale).toEqual(['schemas/generated/types.ts']);
});

import {execFileSync, spawnSync} from 'node:child_process';
import {appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {root} from './repository.ts';

const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');

test('the generated files are what the schemas say', () => {
  execFileSync(process.execPath, [tsx, 'schemas/generate.ts', '--check'], {cwd: root, stdio: 'pipe'});
});

test('a stale generated file is found and named', () => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, {recursive: true});
  const copy = mkdtempSync(join(cache, 'stale-'));
  onTestFinished(() => rmSync(copy, {recursive: true}));
  cpSync(join(root, 'schemas'), copy, {recursive: true});
  appendFileSync(join(copy, 'generated/types.ts'), '// edited by hand\n');
  const {status, stderr} = spawnSync(process.execPath, [tsx, join(copy, 'generate.ts'), '--check'], {encoding: 'utf8'});
  expect(status).toBe(1);
  expect(stderr).toContain('generated/types.ts is stale');
  expect(stderr).not.toContain('validators.js');
});

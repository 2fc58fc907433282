// The script with the shells of images: dash asks the kernel whether it can write, and Busybox looks at modes.
import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {escapeScript} from './escape-trial.ts';

const shells = [['/bin/sh'], ['busybox', 'sh']].filter(
  ([program = '']) => spawnSync(program, [program === 'busybox' ? 'true' : '-c', 'true']).error === undefined,
);

/** What the script prints about a folder and a file that anyone may write by their mode. */
function written(shell: readonly string[], bind: '--bind' | '--ro-bind'): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-trial-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  mkdirSync(join(folder, 'open'));
  writeFileSync(join(folder, 'file'), 'kept');
  for (const [name, mode] of Object.entries({'.': 0o755, open: 0o777, file: 0o666}))
    chmodSync(join(folder, name), mode);
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all', bind, folder, folder];
  const namespaces = Array<string>(6).fill('-');
  const places = ['-r', join(folder, 'open'), '-r', join(folder, 'file'), '-d', join(folder, 'open')];
  const args = [...system, ...shell, '-c', escapeScript, 'sh', ...namespaces, '', 'none', ...places];
  const {stdout} = spawnSync('bwrap', args, {encoding: 'utf8'});
  expect(stdout).toMatch(/tried\n$/u);
  // An attempt leaves nothing behind.
  expect([readdirSync(folder), readdirSync(join(folder, 'open'))]).toEqual([['file', 'open'], []]);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('it can write to') && line.includes(folder))
    .map((line) => line.replace(folder, ''));
}

test.skipIf(process.platform !== 'linux').each(shells.map((shell) => ({shell})))(
  '$shell reports what is writable, and nothing else',
  ({shell}) => {
    expect(written(shell, '--ro-bind')).toEqual([]);
    expect(written(shell, '--bind')).toEqual([
      'it can write to /open',
      'it can write to /file',
      'it can write to /open, which is hidden',
    ]);
  },
);

// What a backend reports of a program that is not a runtime of containers.
import {chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import type {ProbeReport} from '../backends/probe-report.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {createHostFiles} from '../profile/host-files.ts';
import {createOciBackend} from './create-oci-backend.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oci-')));
afterAll(() => rmSync(folder, {recursive: true}));

const probe = async (program: string): Promise<ProbeReport> =>
  await createOciBackend('gvisor', {
    runner: {nodePath: process.execPath, runtimePaths: []},
    executor: createSpawnExecutor(),
    files: createHostFiles(),
    program,
  }).probe();

function script(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, mode);
  return path;
}

describe.skipIf(process.platform !== 'linux')('a configured program', () => {
  test.each([
    ['is absent', '/nonexistent/runsc'],
    ['is not executable', script('text', 'exit 0', 0o644)],
    ['is a directory', folder],
  ])('that %s is named, with the option to correct', async (_, program) => {
    expect(await probe(program)).toEqual({
      available: false,
      backend: 'gvisor',
      problem: {
        message: `\`${program}\` is not an executable file`,
        help: 'correct `security.sandbox.backends.gvisor.program`',
      },
    });
  });

  test('that is too old is reported with its version and its complaint', async () => {
    const old = script(
      'old',
      `[ "$1" = --version ] && exec echo 'runsc version release-20190101.0'
echo 'flag provided but not defined: -oci-seccomp' >&2
exit 2`,
    );
    expect(await probe(old)).toMatchObject({
      available: false,
      problem: {
        message:
          'runsc release-20190101.0 could not start the container (`flag provided but not defined: -oci-seccomp`)',
      },
    });
  });

  test.each([
    ['nothing', 'exit 0'],
    ['something else', 'echo hello'],
    ['a part of a result', `echo '{"readCanary":false}'`],
  ])('that runs nothing, and prints %s, enforces nothing', async (name, text) => {
    expect(await probe(script(`prints-${name.replaceAll(' ', '-')}`, text))).toMatchObject({
      available: false,
      problem: {message: 'runsc could not start the container (`it printed no result`)'},
    });
  });
});

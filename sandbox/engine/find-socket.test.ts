import {chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {removeTree} from '../files/remove-tree.ts';
import {findSocket, type InstalledEngine} from './find-socket.ts';

let folder: string;
let engine: InstalledEngine;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-find-')));
  const sockets = (): readonly string[] => ['user/docker.sock', 'docker.sock'].map((name) => join(folder, name));
  engine = {backend: 'docker', program: 'sh', install: 'apt-get install x', start: 'systemctl start x', sockets};
});
afterEach(() => removeTree(folder));

test('the first that exists is used, and a named one before all', () => {
  writeFileSync(join(folder, 'docker.sock'), '');
  writeFileSync(join(folder, 'own.sock'), '');
  expect(findSocket(engine, undefined)).toEqual({ok: true, value: join(folder, 'docker.sock')});
  expect(findSocket(engine, join(folder, 'own.sock'))).toEqual({ok: true, value: join(folder, 'own.sock')});
});

test('what is missing is named with what to do', () => {
  const none = join(folder, 'none.sock');
  expect(findSocket(engine, none)).toMatchObject({
    problem: {message: `\`${none}\` does not exist`, help: 'correct `security.sandbox.backends.docker.socket`'},
  });
  expect(findSocket(engine, undefined)).toMatchObject({
    problem: {
      message: 'docker is not running',
      help: 'start it with `systemctl start x`, or name its socket as `security.sandbox.backends.docker.socket`',
    },
  });
  expect(findSocket({...engine, program: 'no-such-program-here'}, undefined)).toMatchObject({
    problem: {message: 'docker is not installed', help: 'install it with `apt-get install x`'},
  });
});

test.skipIf(process.getuid?.() === 0)('a socket in a closed folder is one that this user may not open', () => {
  mkdirSync(join(folder, 'user'));
  chmodSync(join(folder, 'user'), 0);
  expect(findSocket(engine, undefined)).toMatchObject({
    problem: {message: expect.stringContaining('this user may not connect to docker at')},
  });
});

import {execFileSync, spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readlinkSync} from 'node:fs';
import {afterEach, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {openNamespacesOf} from './open-namespaces-of.ts';

const programs = ['unshare', 'nsenter'].map(findProgram);
const [unshare = '', nsenter = ''] = programs;
let first: ChildProcess | undefined;
afterEach(() => void first?.kill('SIGKILL'));

/** What an engine starts, without an engine: a process in its own user and network namespace. */
async function startFirst(mark: string): Promise<number> {
  const program = 'echo started; read -r _';
  const child = spawn(unshare, ['--user', '--map-current-user', '--net', '--', '/bin/sh', '-c', program, mark]);
  first = child;
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

test.skipIf(programs.includes(undefined))(
  'a command enters the network of a container, also when its process has ended meanwhile',
  async () => {
    const pid = await startFirst('mark-of-one');
    const network = readlinkSync(`/proc/${pid}/ns/net`);
    const opened = openNamespacesOf(pid, 'mark-of-one');
    const ended = once(first as ChildProcess, 'exit');
    first?.kill('SIGKILL');
    await ended;
    const command = [...(opened?.options ?? []), '--', 'readlink', '/proc/self/ns/net'];
    expect(execFileSync(nsenter, command, {encoding: 'utf8'}).trim()).toBe(network);
    expect(network).not.toBe(readlinkSync('/proc/self/ns/net'));
    opened?.close();
  },
);

test.skipIf(programs.includes(undefined))(
  'a process with another mark, or that has ended, is not entered',
  async () => {
    const pid = await startFirst('mark-of-one');
    expect(openNamespacesOf(pid, 'mark-of-two')).toBeUndefined();
    expect(openNamespacesOf(process.pid, 'mark-of-two')).toBeUndefined();
    expect(openNamespacesOf(2 ** 22 + 1, 'mark-of-one')).toBeUndefined();
  },
);

// The namespaces of a container's first process, kept open: by the time a command enters them, the container may have ended and its
// process id may be that of another process, even one in the host's own network.
import {closeSync, fstatSync, openSync, readFileSync, statSync} from 'node:fs';

export interface OpenNamespaces {
  /** Options of nsenter for a command of this process. */
  readonly options: readonly string[];
  close(): void;
}

/** `mark`: in the command line of the process, and of no other. Undefined if it has ended. */
export function openNamespacesOf(pid: number, mark: string): OpenNamespaces | undefined {
  const fds: number[] = [];
  const close = (): void => {
    for (const fd of fds.splice(0)) closeSync(fd);
  };
  try {
    for (const kind of ['user', 'net']) fds.push(openSync(`/proc/${pid}/ns/${kind}`, 'r'));
    // Compared once they are open: until then, it could still be another process.
    if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark)) return {options: optionsOf(fds), close};
  } catch (error) {
    if (!hasEnded(error)) {
      close();
      throw error;
    }
  }
  close();
  return undefined;
}

/** An ordinary user has rights over the network in the user namespace of a rootless engine. */
function optionsOf([user = -1, net = -1]: readonly number[]): readonly string[] {
  const isOwn = fstatSync(user).ino === statSync('/proc/self/ns/user').ino;
  const at = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;
  return [...(isOwn ? [] : ['--preserve-credentials', `--user=${at(user)}`]), `--net=${at(net)}`];
}

function hasEnded(error: unknown): boolean {
  const {code} = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES';
}

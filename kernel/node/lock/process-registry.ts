// Names this kernel instance so that any process of the machine can find out later whether it is alive.
// A pid alone is not enough: pids are reused, and differ between containers and boots.
import {randomBytes} from 'node:crypto';
import {readFileSync, readlinkSync} from 'node:fs';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';

/** `<boot>.<pid namespace>.<pid>.<start time>.<random>`; `0` where the machine does not report it. */
const processIdPattern = /^([0-9a-f]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)\.[0-9a-f]+$/u;

export function createProcessRegistry(): ProcessRegistry {
  const boot = bootId();
  const namespace = pidNamespace();
  const self = `${boot}.${namespace}.${process.pid}.${startTimeOf(process.pid) ?? '0'}`;
  return {
    processId: `${self}.${randomBytes(6).toString('hex')}`,
    isAlive(processId) {
      const [, itsBoot, itsNamespace, pid, start] = processIdPattern.exec(processId) ?? [];
      if (itsBoot !== boot) return false;
      // What runs in another container cannot be seen from here; taking its work over would be worse than waiting.
      if (itsNamespace !== namespace) return true;
      const now = startTimeOf(Number(pid));
      // Without /proc, or where it hides other users' processes, whether there is such a process is all one can ask.
      return now === undefined ? respondsToSignals(Number(pid)) : now === start;
    },
  };
}

/**
 * Whether a process ran before this machine's last start, so that a loss of power may have followed. True if the machine cannot
 * distinguish boots; false for an id that no kernel creates.
 */
export function isOfAnotherBoot(processId: string, self: string): boolean {
  const [, boot] = processIdPattern.exec(processId) ?? [];
  const [, own] = processIdPattern.exec(self) ?? [];
  return boot !== undefined && (boot !== own || boot === '0');
}

function bootId(): string {
  const text = readOrUndefined('/proc/sys/kernel/random/boot_id');
  return text?.replaceAll('-', '').slice(0, 8) ?? '0';
}

function pidNamespace(): string {
  try {
    return /[0-9]+/u.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch (error) {
    if (isAbsent(error)) return '0';
    throw error;
  }
}

/** Clock ticks from boot to the start of a process, `ended` for one that is only waited for; undefined when not shown. */
function startTimeOf(pid: number): string | undefined {
  const text = readOrUndefined(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may contain anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? 'ended' : fields?.[19];
}

function respondsToSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  const {code} = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM' || code === 'EINVAL';
}

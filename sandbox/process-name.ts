// Names of processes, for what must be removed once its process has ended.
import {readlinkSync} from 'node:fs';
import {errorCode} from './error-code.ts';

/** Names this process among those of the machine. */
export function thisProcess(): string {
  return `${pidNamespace()}-${process.pid}`;
}

/** Whether `name`, of `thisProcess`, names one that has ended. False for one of another namespace, which cannot be seen. */
export function hasEnded(name: string): boolean {
  const [namespace, pid] = name.split('-');
  return namespace === pidNamespace() && /^\d+$/.test(pid ?? '') && !isAlive(Number(pid));
}

/** In another namespace, the number identifies another process; what it has made may be here too. */
export function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    // Not Linux: one namespace for all.
    return '0';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return errorCode(error) !== 'ESRCH';
  }
}

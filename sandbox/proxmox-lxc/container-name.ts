// The host name of a container says which host made it. A copy has it from the moment that it is complete, so
// that another host can remove it even if its own was killed in the meantime.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {hasEnded, thisProcess} from '../process-name.ts';

const prefix = 'lumenflow';
/** Shown by the pages of Proxmox VE. */
export const containerTag = 'lumenflow';

let count = 0;

/** Of one container of this process alone. */
export function newContainerName(): string {
  count += 1;
  return `${prefix}-${thisMachine()}-${thisProcess()}-${count}`;
}

/** Whether it is the name of a container whose host was on this machine, and has ended. */
export function isLeftover(name: string): boolean {
  const [, machine, owner = ''] = new RegExp(`^${prefix}-([0-9a-f]{12})-(\\d+-\\d+)-\\d+$`).exec(name) ?? [];
  return machine === thisMachine() && hasEnded(owner);
}

function thisMachine(): string {
  return createHash('sha256').update(`${hostname()}\n${machineId()}`).digest('hex').slice(0, 12);
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    // Not Linux, or a container without one: its host name distinguishes it.
    return '';
  }
}

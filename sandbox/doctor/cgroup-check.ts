// Whether this process may make control groups: with them memory and process limits can be held for root too.
import {accessSync, constants, readFileSync} from 'node:fs';
import type {DoctorCheck} from './doctor-check.ts';

const name = 'cgroups';
const fix =
  'memory is held by the heap limit of Node alone until then: run the host in a delegated cgroup v2 (`systemd-run --user --scope -p Delegate=yes`)';

export function cgroupCheck(): DoctorCheck {
  const own = ownGroup();
  if (own === undefined) return {name, ok: false, detail: 'this process is in no cgroup v2 hierarchy', fix};
  try {
    accessSync(own, constants.W_OK);
    return {name, ok: true, detail: `${own} is writable; this version does not use it yet`};
  } catch {
    // Not ours to write, or not mounted there: either way no group can be made.
    return {name, ok: false, detail: `${own} is not writable`, fix};
  }
}

function ownGroup(): string | undefined {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    return path === undefined ? undefined : `/sys/fs/cgroup${path}`;
  } catch {
    // A kernel without cgroups.
    return undefined;
  }
}

// Whether this process may make control groups: with them the kernel limits memory and the number of processes, for root too.
import {findControlGroups} from '../limits/find-control-groups.ts';
import type {DoctorCheck} from './doctor-check.ts';

const name = 'cgroups';
const fix =
  'until then memory, and for root the number of processes, is measured every 50 ms: run the host in a delegated ' +
  'cgroup v2 (`systemd-run --user --scope -p Delegate=yes`)';

export function cgroupCheck(): DoctorCheck {
  const held = findControlGroups()?.holds ?? [];
  if (held.length === 0) return {name, ok: false, detail: 'no control group can be made', fix};
  const detail = `the kernel holds ${held.map((limit) => `\`${limit}\``).join(' and ')}`;
  return held.length === 2 ? {name, ok: true, detail} : {name, ok: false, detail, fix};
}

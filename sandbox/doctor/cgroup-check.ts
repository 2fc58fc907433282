// Checks whether this process may create control groups. With them the kernel limits memory and the number of processes, for root
// too.
import {findControlGroups} from '../limits/find-control-groups.ts';
import type {DoctorCheck} from './doctor-check.ts';

const name = 'cgroups';
const fix =
  'run the host in a delegated cgroup v2 (`systemd-run --user --scope -p Delegate=yes`); ' +
  'until then, LumenFlow measures memory, and the number of processes of root, every 50 ms';

export function cgroupCheck(): DoctorCheck {
  const enforced = findControlGroups()?.enforces ?? [];
  if (enforced.length === 0) return {name, ok: false, detail: 'the host cannot create control groups', fix};
  const detail = `the kernel enforces ${enforced.map((limit) => `\`${limit}\``).join(' and ')}`;
  return enforced.length === 2 ? {name, ok: true, detail} : {name, ok: false, detail, fix};
}

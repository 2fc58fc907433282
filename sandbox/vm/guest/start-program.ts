// Starts the program of a call in a guest. bubblewrap confines it there as it does on a host: the guest's kernel is a second
// barrier, and not the only one.
import type {AgentProgram} from '../../guest/agent/run-agent.ts';
import type {HostMessage} from '../../guest/guest-messages.ts';
import {findProgram} from '../../commands/find-program.ts';
import {findPrlimit} from '../../commands/rlimits.ts';
import {lookAtHost} from '../../bubblewrap/host-system.ts';
import {launchBubblewrap} from '../../bubblewrap/launch.ts';
import {buildFilter} from '../../seccomp/build-filter.ts';
import {machineNetwork} from '../machine-network.ts';
import type {Architecture} from '../../seccomp/system-call-table.ts';

export async function startProgram({
  profile,
  argv,
  cwd,
  withWire,
}: Extract<HostMessage, {type: 'start'}>): Promise<AgentProgram> {
  const bwrapPath = findProgram('bwrap');
  if (bwrapPath === undefined) throw new Error('the system of the guest has no bwrap');
  const host = lookAtHost({bwrapPath, bindsFds: false, prlimitPath: findPrlimit()});
  const launched = await launchBubblewrap({
    host,
    filter: buildFilter(process.arch as Architecture),
    profile,
    argv,
    cwd,
    output: 'pipe',
    withWire,
    // The machine has the network of the call, and no other.
    ...(profile.network_posture !== 'off' && {enterNetwork: [], nameserver: machineNetwork.ipv4.nameserver}),
  });
  return {...launched, grouped: host.controlGroups?.enforces ?? []};
}

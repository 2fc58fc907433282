// Linux's default backend: a bubblewrap sandbox for each call.
import {rememberProbe} from '../backends/remember-probe.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {reapControlGroups} from '../limits/find-control-groups.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {probeBubblewrap} from './probe-bubblewrap.ts';
import {startInside} from './start-inside.ts';

export interface BubblewrapOptions {
  /** Where bwrap is searched for, in the form of PATH. */
  readonly searchPath: string;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
}

const name = 'bubblewrap';

export function createBubblewrapBackend({searchPath, executor, files}: BubblewrapOptions): SandboxBackend {
  const look = rememberProbe(
    () => probeBubblewrap(searchPath, executor),
    ({ok}) => ok,
  );
  return {
    name,
    capabilities: {
      spares: true,
      views: true,
      mountsViews: true,
      network: 'namespace',
      selfTest: true,
      killsAtOnce: true,
    },
    async probe() {
      const probe = await look();
      return probe.ok ? probe.value.report : {available: false, backend: name, problem: probe.problem};
    },
    async start(request) {
      const probe = await look();
      return probe.ok ? await startInside(request, {probe: probe.value, files}) : probe;
    },
    // Its processes and mounts end with the host.
    reap: async () => reapControlGroups(),
    close: async () => undefined,
  };
}

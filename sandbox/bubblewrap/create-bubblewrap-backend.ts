// Linux's default backend: a bubblewrap sandbox for each call.
import {rememberProbe} from '../backends/remember-probe.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {reapControlGroups} from '../limits/find-control-groups.ts';
import {failed} from '../outcome.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {probeBubblewrap} from './probe-bubblewrap.ts';
import {startInside} from './start-inside.ts';

export interface BubblewrapOptions {
  /** Where bwrap is searched for, in the form of PATH. */
  readonly searchPath: string;
  /** Absolute; default: the first bwrap on `searchPath`. */
  readonly program?: string | undefined;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
}

const name = 'bubblewrap';

/** A call could replace it, and would then choose its own sandbox. */
function inWorkspace(path: string): SandboxProblem {
  return {
    message: `\`${path}\` is inside the workspace, where a call could replace it`,
    help: 'set `security.sandbox.backends.bubblewrap.program` to a path outside the workspace',
  };
}

export function createBubblewrapBackend({searchPath, program, executor, files}: BubblewrapOptions): SandboxBackend {
  const look = rememberProbe(
    () => probeBubblewrap({searchPath, program}, executor),
    ({ok}) => ok,
  );
  return {
    name,
    capabilities: {
      spares: true,
      views: true,
      viewWay: 'mounted',
      network: 'namespace',
      selfTest: true,
      killsAtOnce: true,
      lacks: ['kernel'],
    },
    async probe() {
      const probe = await look();
      return probe.ok ? probe.value.report : {available: false, backend: name, problem: probe.problem};
    },
    async start(request) {
      const probe = await look();
      if (!probe.ok) return probe;
      const {bwrapPath} = probe.value.host;
      if (program !== undefined && isWithin(bwrapPath, request.profile.workspaceRoot))
        return failed(inWorkspace(bwrapPath));
      return await startInside(request, {probe: probe.value, files});
    },
    // Its processes and mounts end with the host.
    reap: async () => reapControlGroups(),
    close: async () => undefined,
  };
}

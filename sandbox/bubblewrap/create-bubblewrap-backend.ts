// Linux's default backend: a bubblewrap sandbox for each call.
import {probedBackend} from '../backends/probed-backend.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {reapControlGroups} from '../limits/find-control-groups.ts';
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

export function createBubblewrapBackend({searchPath, program, executor, files}: BubblewrapOptions): SandboxBackend {
  const {probe, start} = probedBackend({
    name,
    look: () => probeBubblewrap({searchPath, program}, executor),
    startedBy: {option: 'program', paths: ({host}) => [host.bwrapPath]},
    start: (request, ready) => startInside(request, {probe: ready, files}),
  });
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
    probe,
    start,
    // Its processes and mounts end with the host.
    reap: async () => reapControlGroups(),
    close: async () => undefined,
  };
}

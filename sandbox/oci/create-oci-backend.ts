// A backend that starts a container for each call, directly by an OCI runtime.
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import {probedBackend, trialKeyOf} from '../backends/probed-backend.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {executableAt} from '../commands/executable-at.ts';
import {findProgram} from '../commands/find-program.ts';
import {reapControlGroups} from '../limits/find-control-groups.ts';
import {failed, type Outcome} from '../outcome.ts';
import type {HostFiles} from '../profile/host-files.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {reapContainerBundles} from './container-bundle.ts';
import {endContainer} from './end-container.ts';
import type {Surroundings} from './container-command.ts';
import {surroundingsOf} from './oci-host.ts';
import {ociRuntimes, type OciBackendName} from './oci-runtime.ts';
import {probeOci, type ReadyOci} from './probe-oci.ts';
import {startContainer} from './start-container.ts';

export interface OciBackendOptions {
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  /** Absolute path of the runtime; default: the first in the directories of the system. */
  readonly program?: string | undefined;
}

export function createOciBackend(name: OciBackendName, options: OciBackendOptions): SandboxBackend {
  const {executor, files, program} = options;
  const runtime = ociRuntimes[name];
  const find = (): string | undefined => (program === undefined ? findProgram(runtime.program) : executableAt(program));
  const {probe, start, ready} = probedBackend({
    name,
    async look(): Promise<Outcome<ReadyOci>> {
      const programPath = find();
      return programPath === undefined
        ? failed(missing(name, program))
        : await probeOci({runtime, programPath, executor}, options.runner);
    },
    startedBy: {option: 'program', paths: ({host}) => [host.programPath]},
    start: (request, {host}) => startContainer(request, {host, files}),
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
      lacks: runtime.hasOwnKernel ? [] : ['kernel'],
    },
    probe,
    start,
    trialKey: async () => await trialKeyOf(ready),
    async reap() {
      const programPath = find();
      if (programPath === undefined) return;
      const uid = process.geteuid?.() ?? 0;
      const surroundings = (joinsNetwork: boolean): Surroundings => surroundingsOf(runtime, uid, joinsNetwork);
      const ending = {runtime, programPath, executor, uid, surroundings};
      await reapContainerBundles(name, (bundle) => endContainer(ending, bundle));
      reapControlGroups();
    },
    close: async () => undefined,
  };
}

function missing(name: OciBackendName, program: string | undefined): SandboxProblem {
  const {program: usual, install} = ociRuntimes[name];
  return program === undefined
    ? {message: `${usual} is not installed`, help: `install it with \`${install}\``}
    : {
        message: `\`${program}\` is not an executable file`,
        help: `correct \`security.sandbox.backends.${name}.program\``,
      };
}

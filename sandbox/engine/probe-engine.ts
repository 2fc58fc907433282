// Tries what an engine enforces on this machine: a container is started with every protection, and a trial in it attempts escapes.
import {keptTrial, keptTrialMs} from '../backends/kept-trial.ts';
import {fileIdentity, machineKey} from '../backends/machine-key.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import {tierOf} from '../backends/security-tier.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {foundGuarantees} from '../oci/found-guarantees.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {EngineClient} from './engine-client.ts';
import {lookAtEngine, type EngineHost} from './engine-host.ts';
import type {Engine, EngineBackendName} from './engines.ts';
import {launchEngineContainer} from './launch-engine-container.ts';
import {ensureImage, findImage} from './image/runner-image.ts';
import {volumesOf} from './image/volumes-of.ts';
import {tryContainer, type TriedContainer} from './try-container.ts';

export interface ReadyEngine {
  readonly host: EngineHost;
  /** See `SandboxBackend`. */
  readonly trialKey: readonly string[];
  readonly report: AvailableReport;
}

export interface EngineProbe {
  readonly engine: Engine;
  readonly client: EngineClient;
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly executor: CommandExecutor;
  /** Default: the one that is built here. */
  readonly image: string | undefined;
  /** See `EngineBackendOptions`. */
  readonly loadsImages: boolean;
}

export async function probeEngine(probe: EngineProbe): Promise<Outcome<ReadyEngine>> {
  const {engine, client, runner, executor} = probe;
  const architecture = process.arch;
  if (process.platform !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64')) {
    return failed({
      message: `calls in ${engine.backend} do not run on ${process.platform} ${architecture}`,
      help: 'use Linux on x64 or arm64',
    });
  }
  const found = await lookAtEngine(engine, client, architecture);
  if (!found.ok) return found;
  const image = await imageOf(probe);
  if (!image.ok) return image;
  const volumes = await volumesOf(client, image.value);
  if (!volumes.ok) return failed(noImage(engine.backend, volumes.problem.message));
  const host = {...found.value, executor, image: image.value, volumes: volumes.value};
  const trialKey = trialKeyOf(host, runner);
  const run = async (): Promise<Outcome<TriedContainer>> =>
    await tryContainer({
      backend: engine.backend,
      runner,
      launch: (trial) => launchEngineContainer({host, ...trial}),
    });
  const tried = await keptTrial({key: trialKey, validMs: keptTrialMs, run});
  if (!tried.ok) return tried;
  const guarantees = foundGuarantees(tried.value.facts, {runtime: {filter: 'names'}, ...tried.value});
  return ok({
    host,
    trialKey,
    report: {
      available: true,
      backend: engine.backend,
      tier: tierOf(guarantees),
      version: host.version,
      guarantees,
      gaps: gapsOf(host),
    },
  });
}

/** The engine since its start, its configuration, and what its containers are made of. */
function trialKeyOf(
  {engine, client, configuration, image, volumes, user, filter, kernelPaths, maskedPaths}: EngineHost,
  {nodePath, runtimePaths}: EngineProbe['runner'],
): readonly string[] {
  return [
    ...machineKey(),
    engine.backend,
    fileIdentity(client.socketPath),
    configuration,
    JSON.stringify([image, volumes, user, filter, kernelPaths, maskedPaths]),
    ...[nodePath, ...runtimePaths].map(fileIdentity),
  ];
}

/** Its id. */
async function imageOf({engine, client, runner, executor, image, loadsImages}: EngineProbe): Promise<Outcome<string>> {
  if (image !== undefined) return ok(image);
  const source = {nodePath: runner.nodePath, executor};
  const found = loadsImages ? await ensureImage(client, source) : await findImage(client, source);
  if (!found.ok) return found;
  return found.value === undefined ? failed(notLoaded(engine.backend)) : ok(found.value.id);
}

function notLoaded(backend: EngineBackendName): SandboxProblem {
  return {
    message: `${backend} has no runner image, so it was not tried`,
    help: `run \`lumenflow sandbox image build --backend ${backend}\`, or name the backend in \`security.sandbox.backend\``,
  };
}

function noImage(backend: string, reason: string): SandboxProblem {
  return {
    message: `${backend} does not describe the image of containers (\`${reason}\`)`,
    help: `correct \`security.sandbox.backends.${backend}.image\`, or remove it`,
  };
}

function gapsOf({engine, user}: EngineHost): readonly SandboxProblem[] {
  const {backend} = engine;
  return [
    {
      message: `${backend} mounts paths, so mounts are checked only before the start`,
      help: 'use `bubblewrap` 0.10 or later where calls run beside calls that write to the same folders',
    },
    {
      message: `${backend} filters only the system calls that its libseccomp has names for`,
      help: 'use `crun` or `gvisor`, which filter all of them',
    },
    ...(user.uid === 0 && process.geteuid?.() === 0
      ? [
          {
            message: `the user inside is root of the host, without capabilities`,
            help: 'run the host and a rootless engine as an ordinary user',
          },
        ]
      : []),
  ];
}

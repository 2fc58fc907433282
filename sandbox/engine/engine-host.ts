// An engine that answers, with what its containers are made of.
import type {CommandExecutor} from '../commands/command-executor.ts';
import {lookAtLinux, type LinuxHost} from '../linux/linux-host.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {Architecture} from '../seccomp/system-call-table.ts';
import {ociSeccomp} from '../oci/oci-seccomp.ts';
import type {EngineClient} from './engine-client.ts';
import type {Engine} from './engines.ts';
import {noAccess} from './find-socket.ts';

export interface EngineHost extends Pick<LinuxHost, 'kernelPaths' | 'maskedPaths'> {
  readonly engine: Engine;
  readonly client: EngineClient;
  readonly executor: CommandExecutor;
  readonly version: string;
  /** What it says of its configuration, as JSON. */
  readonly configuration: string;
  /** Id of the image of its containers. */
  readonly image: string;
  /** Folders that the engine would create, writable, because the image declares them. */
  readonly volumes: readonly string[];
  /** Of the processes inside, as the engine counts users: outside, it is the user of this process. */
  readonly user: {readonly uid: number; readonly gid: number};
  /** The filter of system calls, as JSON. */
  readonly filter: string;
}

/** Of the engine's description: what changes only with its installation or its configuration. Podman gives a new ID in each answer. */
const configured: readonly string[] = (
  'Name ServerVersion OperatingSystem KernelVersion Driver DockerRootDir Isolation CgroupDriver CgroupVersion ' +
  'DefaultRuntime Runtimes InitBinary SecurityOptions Rootless ContainerdCommit RuncCommit InitCommit ' +
  'LiveRestoreEnabled ExperimentalBuild'
).split(' ');

export async function lookAtEngine(
  engine: Engine,
  client: EngineClient,
  architecture: Architecture,
): Promise<Outcome<Omit<EngineHost, 'image' | 'volumes' | 'executor'>>> {
  const answer = await client.describe('/info');
  if (!answer.ok) {
    if (answer.problem.isDenied === true) return failed(noAccess(engine.backend, client.socketPath));
    return failed({
      message: `${engine.backend} does not answer at \`${client.socketPath}\` (\`${answer.problem.message}\`)`,
      help: `start it, or set \`security.sandbox.backends.${engine.backend}.socket\``,
    });
  }
  const {ServerVersion, OSType, SecurityOptions, Rootless} = answer.value;
  if (typeof ServerVersion !== 'string' || typeof OSType !== 'string') {
    return failed({
      message: `what answers at \`${client.socketPath}\` is not ${engine.backend}`,
      help: `correct \`security.sandbox.backends.${engine.backend}.socket\``,
    });
  }
  if (OSType !== 'linux') {
    return failed({message: `${engine.backend} runs containers of ${OSType}`, help: 'use an engine on Linux'});
  }
  const {kernelPaths, maskedPaths, uid, gid} = lookAtLinux();
  // The user of a rootless engine is root in its own user namespace. Podman has a field for it, Docker an option.
  const isRootless = Rootless === true || (Array.isArray(SecurityOptions) && SecurityOptions.includes('name=rootless'));
  return ok({
    engine,
    client,
    version: ServerVersion,
    configuration: configurationOf(answer.value),
    user: isRootless ? {uid: 0, gid: 0} : {uid, gid},
    filter: JSON.stringify(ociSeccomp(architecture, false)),
    kernelPaths,
    maskedPaths,
  });
}

function configurationOf(info: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(configured.map((name) => [name, info[name]]));
}

// Starts a program in a container of an engine, as its profile requires.
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ResourceLimits, SandboxProfile} from '@lumenflow/schemas';
import {thisProcess} from '../process-name.ts';
import {programArgv} from '../backends/program-argv.ts';
import {findPrlimit, limitCommand} from '../commands/rlimits.ts';
import {networkFiles} from '../linux/system-files.ts';
import type {Outcome} from '../outcome.ts';
import {containerRequest, type ContainerRequest} from './container-request.ts';
import {createEngineContainer} from './engine-container.ts';
import type {EngineHost} from './engine-host.ts';
import {launchWithPipes, type PipedContainer, type ProgramInside, type RequestParts} from './launch-with-pipes.ts';

export interface EngineLaunch extends ProgramInside {
  readonly host: EngineHost;
  /** Name of the container whose network it uses; undefined: it has none. */
  readonly network?: string | undefined;
}

export async function launchEngineContainer(input: EngineLaunch): Promise<Outcome<PipedContainer>> {
  const {host, program} = input;
  return await launchWithPipes({
    backend: host.engine.backend,
    executor: host.executor,
    program,
    topLevel: [],
    memoryBytes: input.profile.limits.memory_bytes,
    container: (id) => createEngineContainer(host.client, id, host.engine),
    request: (parts) => requestOf(input, parts),
  });
}

function requestOf(
  {host, profile, program, cwd, network}: EngineLaunch,
  {bundle, pipes, mark}: RequestParts,
): ContainerRequest {
  const {engine, image, volumes, user, filter, kernelPaths, maskedPaths} = host;
  const filterPath = join(bundle.folder, 'seccomp.json');
  if (engine.readsFilter) writeFileSync(filterPath, filter, {mode: 0o644});
  return containerRequest({
    profile,
    cwd,
    image,
    volumes,
    user,
    pipes,
    mark,
    kernelPaths,
    maskedPaths,
    masksByOption: engine.masksByOption,
    owner: thisProcess(),
    argv: limitCommand(programArgv(program, profile), ownLimits(profile), findPrlimit()).argv,
    withWire: program.kind === 'runner',
    filter: engine.readsFilter ? filterPath : filter,
    networkOf: network,
    systemPaths: profile.network_posture === 'off' ? [] : networkFiles.filter((path) => existsSync(path)),
    ownFiles: bundle.ownFiles(profile.network_posture !== 'off', user),
    emptyDirectory: (inner) => bundle.emptyDirectory(inner),
    hiddenFile: bundle.hiddenFile,
  });
}

/** Those of each process. Of processes, this one would count the user's outside too: the engine limits them in another way. */
function ownLimits({limits}: SandboxProfile): ResourceLimits {
  const {processes: _, ...own} = limits;
  return own;
}

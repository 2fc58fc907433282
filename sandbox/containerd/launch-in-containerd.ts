// Starts a program in a container of containerd, as its profile requires.
import {thisProcess} from '../process-name.ts';
import {programArgv} from '../backends/program-argv.ts';
import {firstCommand} from '../engine/first-command.ts';
import {
  launchWithPipes,
  type PipedContainer,
  type ProgramInside,
  type RequestParts,
} from '../engine/launch-with-pipes.ts';
import {ownerLabel} from '../engine/protected-container.ts';
import type {Outcome} from '../outcome.ts';
import {createContainerdContainer, type ContainerdRequest} from './containerd-container.ts';
import type {ContainerdHost} from './containerd-host.ts';
import {containerdSpec, groupBytes} from './containerd-spec.ts';
import {taskGroup} from './task-group.ts';
import {relayCommand, relayedCommand, relayedStreams} from './wire-relay.ts';

export interface ContainerdLaunch extends ProgramInside {
  readonly host: ContainerdHost;
  /** Path of the namespace of its network; undefined: it has none. */
  readonly networkPath?: string | undefined;
  /** See `ContainerdSpecInput`. */
  readonly showsGroup?: boolean;
}

export async function launchInContainerd(input: ContainerdLaunch): Promise<Outcome<PipedContainer>> {
  const {host, program, profile} = input;
  const {backend, executor, topLevel, api, runtime} = host;
  return await launchWithPipes({
    backend,
    executor,
    program,
    topLevel,
    memoryBytes: groupBytes(profile, runtime),
    container: (id) => createContainerdContainer({api, id, sharesKernel: !runtime.hasOwnKernel}),
    request: (parts) => requestOf(input, parts),
  });
}

function requestOf(input: ContainerdLaunch, {bundle, pipes, mark}: RequestParts): ContainerdRequest {
  const {host, profile, program, cwd, networkPath, showsGroup = false} = input;
  const {runtime, uid, gid} = host;
  const {hasOwnKernel} = runtime;
  const withWire = program.kind === 'runner';
  const hasNetwork = profile.network_posture !== 'off';
  // The shell sets them.
  const command = {mark, unwanted: ['PWD', 'OLDPWD'], argv: programArgv(program, profile), withWire};
  const spec = containerdSpec({
    runtime,
    profile,
    cwd,
    argv: hasOwnKernel ? relayedCommand(command) : firstCommand(command),
    bundleFolder: bundle.folder,
    pipes,
    user: {uid, gid},
    networkPath,
    cgroupsPath: taskGroup(bundle.id).path,
    showsGroup,
    filter: host.filter,
    kernelPaths: host.kernelPaths,
    maskedPaths: host.maskedPaths,
    systemPaths: host.systemPaths(hasNetwork),
    ownFiles: bundle.ownFiles(hasNetwork, hasOwnKernel ? {uid, gid} : undefined),
    emptyDirectory: (inner) => bundle.emptyDirectory(inner),
    hiddenFile: bundle.hiddenFile,
  });
  const streams = hasOwnKernel ? relayedStreams({pipes}) : undefined;
  return {
    labels: {[ownerLabel]: thisProcess()},
    runtime: runtime.type,
    binary: runtime.binary,
    spec,
    streams: streams?.first ?? {},
    relay:
      streams && withWire
        ? {
            spec: {...spec.process, args: relayCommand},
            streams: streams.relay,
          }
        : undefined,
  };
}

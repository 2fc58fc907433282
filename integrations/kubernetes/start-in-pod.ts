// Starts a program in a separate Pod: the agent is loaded over a stream of the API server, and gets copies of the files.
import {readFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {failed, ok, type Outcome, type SandboxProblem, type StartRequest} from '@lumenflow/sandbox/backends';
import {
  grantedFiles,
  openGuestFilesSync,
  startInGuest,
  type GuestFilesSync,
  type StartedGuest,
} from '@lumenflow/sandbox/guest';
import {podOf} from './await-pod.ts';
import {containerName} from './call-pod.ts';
import type {PodSource} from './pod-source.ts';
import type {Cluster} from './cluster.ts';
import {diagnosePod} from './diagnose-pod.ts';
import {ExecStream} from './exec-stream.ts';
import {explainRefusal} from './explain-refusal.ts';
import {fileRoots} from './file-roots.ts';
import {newCallName} from './labels.ts';
import {loaderCommand, loaderMessage} from './load-agent.ts';

export interface PodHost {
  readonly cluster: Cluster;
  readonly pods: PodSource;
  readonly agentPath: string;
  /** Of this machine. */
  readonly nodePath: string;
  /** What of the host's own paths the image replaces. */
  provides(path: string): boolean;
}

const megabyte = 1024 ** 2;
/** The agent, and the first process. */
const agentBytes = 96 * megabyte;
const memoryBytesDefault = 2048 * megabyte;
const tmpBytesDefault = 512 * megabyte;
const packedBytesMax = 512 * megabyte;
const packedEntriesMax = 50_000;
/** Of a program in a Pod that runs. */
const startMs = 120_000;
const endMs = 30_000;

export async function startInPod(request: StartRequest, host: PodHost): Promise<Outcome<StartedGuest>> {
  const files = grantedFiles(request, host.provides);
  if (!files.ok) return files;
  const sync = await openGuestFilesSync(files.value);
  const tooMuch = sizeProblem(sync);
  const started =
    tooMuch === undefined ? await startPod(request, {...host, files: files.value, sync}) : failed(tooMuch);
  if (!started.ok) await sync.remove();
  return started;
}

interface Start extends PodHost {
  readonly files: Extract<ReturnType<typeof grantedFiles>, {ok: true}>['value'];
  readonly sync: GuestFilesSync;
}

async function startPod(request: StartRequest, start: Start): Promise<Outcome<StartedGuest>> {
  const {pods, files, sync} = start;
  const {limits} = files.profile;
  const name = newCallName();
  const pod = await pods.start({
    name,
    memoryBytes: (limits.memory_bytes ?? memoryBytesDefault) + agentBytes,
    fileRoots: fileRoots([...files.packed.mounts.keys(), ...files.writable, request.profile.workspaceRoot]),
    fileBytes: sync.bytes + (limits.write_bytes ?? packedBytesMax),
    tmpBytes: limits.tmp_bytes ?? tmpBytesDefault,
  });
  if (!pod.ok) return pod;
  const port = await openPort(start, pod.value.metadata?.name ?? '');
  if (!port.ok) {
    await pods.end(name);
    return port;
  }
  return await startProgram(request, {...start, name, port: port.value});
}

async function openPort({cluster, agentPath, nodePath}: PodHost, pod: string): Promise<Outcome<ExecStream>> {
  try {
    const command = loaderCommand(dirname(nodePath));
    const port = await ExecStream.open({...cluster, pod, container: containerName, command});
    port.write(loaderMessage(readFileSync(agentPath)));
    return ok(port);
  } catch (error) {
    return failed(explainRefusal(error, {...cluster, action: 'start programs in Pods (`pods/exec`)'}));
  }
}

interface OpenPod extends Start {
  readonly name: string;
  readonly port: ExecStream;
}

async function startProgram(request: StartRequest, open: OpenPod): Promise<Outcome<StartedGuest>> {
  const {cluster, pods, files, sync, name, port} = open;
  let removed: Promise<void> | undefined;
  const kill = (): void =>
    void (removed ??= pods
      .end(name)
      .catch(() => undefined)
      .then(() => limited(port)));
  const ended = port.over.then(async () => {
    const why = await lastFacts(cluster, name);
    kill();
    await removed;
    return {exitCode: 1, ...(why !== undefined && {startError: why.message})};
  });
  const timer = setTimeout(kill, startMs);
  const started = await startInGuest(request, {
    name: 'the Pod of the call',
    port,
    ended,
    files,
    sync,
    profile: files.profile,
    pid: undefined,
    kill,
    keepAlive: (on) => port.keepAlive(on),
  });
  clearTimeout(timer);
  if (started.ok) return started;
  const {problem, stage} = started.problem;
  const {startError} = await ended;
  const said = problem ?? (startError === undefined ? port.said.trim().split('\n').at(-1) : startError);
  return failed({
    message: `the Pod of the call ended before its program ran (stage \`${stage}\`${said ? `: \`${said}\`` : ''})`,
    help: 'use an image that contains `/bin/sh` and Node 20 or later, and run `lumenflow sandbox doctor`',
    retryable: 'once',
  });
}

/** A cluster that does not end the Pod must not keep the call. */
async function limited(port: ExecStream): Promise<void> {
  await Promise.race([port.over, delay(endMs, undefined, {ref: false})]);
  port.destroy();
}

/** Why the container ended, if the cluster knows. */
async function lastFacts(cluster: Cluster, name: string): Promise<SandboxProblem | undefined> {
  try {
    const pod = await podOf(cluster, name);
    return pod && diagnosePod({namespace: cluster.namespace, pod, events: []})?.problem;
  } catch {
    // The API server does not answer: the stream has ended for the same reason.
    return undefined;
  }
}

function sizeProblem({bytes, entries}: GuestFilesSync): SandboxProblem | undefined {
  if (bytes <= packedBytesMax && entries <= packedEntriesMax) return undefined;
  return {
    message: `the call is granted ${entries} files of ${bytes} bytes, and the backend \`kubernetes\` copies at most ${packedEntriesMax} of ${packedBytesMax} bytes`,
    help: 'grant fewer files, or use a backend that mounts files, such as `bubblewrap` or `gvisor`',
  };
}

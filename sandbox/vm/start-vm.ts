// Starts a program in a separate virtual machine.
import {availableParallelism} from 'node:os';
import type {StartRequest} from '../backends/sandbox-backend.ts';
import {openGuestFilesSync, type GuestFilesSync} from '../guest/guest-files-sync.ts';
import {guestProfile} from '../guest/guest-profile.ts';
import {startInGuest, type FailedGuest, type StartedGuest} from '../guest/start-in-guest.ts';
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import {grantedFiles, type GrantedFiles} from '../packed-files/granted-files.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {explainStart, lastOfConsole} from './explain-start.ts';
import type {Machine} from './hypervisor.ts';
import {machineNetwork} from './machine-network.ts';
import type {VmHost} from './vm-host.ts';

/** Where the agent keeps the files of its call, at their absolute paths. */
const filesFolder = '/files';
const megabyte = 1024 ** 2;
/** The guest's kernel and its agent. */
const guestMemoryBytes = 224 * megabyte;
const programMemoryBytesDefault = 1024 * megabyte;
/** Copies take memory of the guest, and time at each start. */
const packedBytesMax = 512 * megabyte;
const packedEntriesMax = 50_000;
/** Seconds by software emulation; a busy machine may give it a small part of a processor. */
const bootMs = 300_000;
const processorsMax = 2;

export async function startVm(request: StartRequest, host: VmHost): Promise<Outcome<StartedGuest>> {
  const files = grantedFiles(request, (path) => isInSystem(path, host));
  if (!files.ok) return files;
  const sync = await openGuestFilesSync(files.value);
  const tooMuch = sizeProblem(sync, host);
  const started = tooMuch === undefined ? await boot(request, {files: files.value, sync, host}) : failed(tooMuch);
  if (!started.ok) await sync.remove();
  return started;
}

/** What the guest's disk has at its own path. */
function isInSystem(path: string, {nodePath}: VmHost): boolean {
  return isWithin(nodePath, path);
}

function sizeProblem({bytes, entries}: GuestFilesSync, {hypervisor}: VmHost): SandboxProblem | undefined {
  if (bytes <= packedBytesMax && entries <= packedEntriesMax) return undefined;
  return {
    message: `the call is granted ${entries} files of ${bytes} bytes, and the backend \`${hypervisor.backend}\` copies at most ${packedEntriesMax} of ${packedBytesMax} bytes`,
    help: 'grant fewer files, or use a backend that mounts files, such as `bubblewrap` or `gvisor`',
  };
}

interface Boot {
  readonly files: GrantedFiles;
  readonly sync: GuestFilesSync;
  readonly host: VmHost;
}

async function boot(request: StartRequest, {files, sync, host}: Boot): Promise<Outcome<StartedGuest>> {
  const system = await host.system();
  if (!system.ok) return system;
  const launched = await host.hypervisor.launch({
    system: system.value,
    memoryBytes: memoryFor(files, sync),
    processors: Math.min(processorsMax, availableParallelism()),
    ...(request.network?.kind === 'namespace' && {enterNetwork: request.network.enter}),
  });
  if (!launched.ok) return failed(notLaunched(launched.problem));
  const machine = launched.value;
  const {kill} = machine;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, bootMs);
  const failure = async (guest?: FailedGuest): Promise<Failed<SandboxProblem>> => {
    const end = await machine.ended;
    if (guest?.stage === 'booting') machine.restored?.discard();
    const said = guest?.problem ?? lastWords(machine);
    return failed(
      explainStart({stage: guest?.stage ?? 'booting', end: isLate ? undefined : end, lateMs: bootMs, said}),
    );
  };
  const port = await machine.port;
  if (port === undefined) return await failure().finally(() => clearTimeout(timer));
  const started = await startInGuest(request, {
    name: 'the virtual machine',
    port,
    ended: machine.ended.then(({exitCode, signal}) => ({exitCode, ...(signal && {signal})})),
    files,
    sync,
    profile: guestProfile(files.profile, {filesFolder, provides: (path) => isInSystem(path, host)}),
    isRestored: machine.restored !== undefined,
    pid: machine.pid,
    kill,
    keepAlive: machine.keepAlive,
  });
  clearTimeout(timer);
  if (!started.ok) return await failure(started.problem);
  const {value} = started;
  return ok({...value, degraded: [...value.degraded, ...ownLoopback(request)]});
}

function memoryFor({profile}: GrantedFiles, {bytes}: GuestFilesSync): number {
  const {memory_bytes = programMemoryBytesDefault} = profile.limits;
  return memory_bytes + guestMemoryBytes + Math.ceil(bytes * 1.1);
}

/** A machine has its own loopback, so it reaches the host's at another address. */
function ownLoopback({profile: {profile}}: StartRequest): readonly string[] {
  const {ipv4, ipv6} = machineNetwork;
  return profile.network_allowlist
    .filter((entry) => /^(?:127\.|\[?::1\b)/.test(entry))
    .map(
      (entry) =>
        `network ${entry}: in the virtual machine, use the address ${entry.startsWith('127.') ? ipv4.gateway : ipv6.gateway}`,
    );
}

function lastWords({console, errors}: Machine): string {
  return errors() || lastOfConsole(console());
}

function notLaunched(reason: string): SandboxProblem {
  return {
    message: `the virtual machine could not be launched (\`${reason.trim().split('\n')[0]}\`)`,
    help: 'run `lumenflow sandbox doctor` to see what is missing, or choose another backend in `security.sandbox.backend`',
  };
}

// Starts a program in a separate virtual machine.
import {availableParallelism} from 'node:os';
import type {SandboxProfile} from '@lumenflow/schemas';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {programArgv} from '../backends/program-argv.ts';
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import {grantedFiles, hiddenKinds, type GrantedFiles} from '../packed-files/granted-files.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {explainStart} from './explain-start.ts';
import {openGuestFilesSync, type GuestFilesSync} from './guest-files-sync.ts';
import {filesFolder} from './files-folder.ts';
import type {HostMessage} from './guest-messages.ts';
import type {Machine} from './hypervisor.ts';
import {VmGuest} from './vm-guest.ts';
import type {VmHost} from './vm-host.ts';

export interface StartedVm extends StartedRunner {
  /** Limits that the guest's kernel enforces for the program as a whole. */
  readonly grouped: readonly string[];
}

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

export async function startVm(request: StartRequest, host: VmHost): Promise<Outcome<StartedVm>> {
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

async function boot(request: StartRequest, {files, sync, host}: Boot): Promise<Outcome<StartedVm>> {
  const {program} = request;
  const system = await host.system();
  if (!system.ok) return system;
  const launched = await host.hypervisor.launch({
    system: system.value,
    memoryBytes: memoryFor(files, sync),
    processors: Math.min(processorsMax, availableParallelism()),
  });
  if (!launched.ok) return failed(notLaunched(launched.problem));
  const machine = launched.value;
  const {kill} = machine;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, bootMs);
  const failure = async (guest?: VmGuest): Promise<Failed<SandboxProblem>> => {
    const end = await machine.ended;
    const said = guest?.problem ?? lastWords(machine);
    return failed(
      explainStart({stage: guest?.stage ?? 'booting', end: isLate ? undefined : end, lateMs: bootMs, said}),
    );
  };
  const port = await machine.port;
  if (port === undefined) return await failure().finally(() => clearTimeout(timer));
  const guest = new VmGuest({port, sync, kill, isSpare: program.kind === 'runner' && program.waiting !== undefined});
  const ended = machine.ended.then(async ({exitCode, signal}) => {
    guest.end();
    await sync.remove();
    return guest.programEnd ?? {exitCode, ...(signal && {signal})};
  });
  const started = await Promise.race([startProgram(request, guest, {files, sync, host}), ended.then(() => undefined)]);
  clearTimeout(timer);
  if (started === undefined) return await failure(guest);
  return ok({
    pid: machine.pid,
    wire: program.kind === 'runner' ? guest.wire : undefined,
    stdout: guest.link.stdout,
    stderr: guest.link.stderr,
    ended,
    meter: guest.meter,
    degraded: started.unenforced.map((limit) => `${limit}: best effort, measured every 250 ms`),
    grouped: started.grouped,
    kill,
    keepAlive: machine.keepAlive,
    setUpProblem: () => undefined,
  });
}

function memoryFor({profile}: GrantedFiles, {bytes}: GuestFilesSync): number {
  const {memory_bytes = programMemoryBytesDefault} = profile.limits;
  return memory_bytes + guestMemoryBytes + Math.ceil(bytes * 1.1);
}

/** Resolves once the program runs, and is ready if it says so. */
async function startProgram(
  {profile, program}: StartRequest,
  guest: VmGuest,
  {files, sync, host}: Boot,
): Promise<{readonly grouped: readonly string[]; readonly unenforced: readonly string[]}> {
  const {link} = guest;
  await guest.reported('up');
  await link.say(openMessage(files));
  await sync.bringIn(link);
  await link.say({
    type: 'start',
    profile: guestProfile(files.profile, host),
    argv: programArgv(program, profile.profile),
    cwd: profile.workspaceRoot,
    withWire: program.kind === 'runner',
  });
  const started = await guest.reported('started');
  if (program.kind === 'runner') await Promise.race([guest.hasSpoken(), guest.reported('ended')]);
  return started;
}

function openMessage({writable, sealed, profile}: GrantedFiles): HostMessage {
  const hidden = new Map(hiddenKinds(profile).map(({path, kind}) => [path, kind]));
  return {type: 'open', writable, excluded: sealed.map((path) => ({path, kind: hidden.get(path)}))};
}

function guestProfile(profile: SandboxProfile, host: VmHost): SandboxProfile {
  const placed = (mounts: SandboxProfile['readonly_bind_mounts']): SandboxProfile['readonly_bind_mounts'] =>
    mounts.map(({target}) => ({source: isInSystem(target, host) ? target : `${filesFolder}${target}`, target}));
  return {
    ...profile,
    readonly_bind_mounts: placed(profile.readonly_bind_mounts),
    writable_bind_mounts: placed(profile.writable_bind_mounts),
  };
}

function lastWords({console, errors}: Machine): string {
  return errors() || (console().trim().split('\n').at(-1) ?? '');
}

function notLaunched(reason: string): SandboxProblem {
  return {
    message: `the virtual machine could not be launched (\`${reason.trim().split('\n')[0]}\`)`,
    help: 'run `lumenflow sandbox doctor` to see what is missing, or choose another backend in `security.sandbox.backend`',
  };
}

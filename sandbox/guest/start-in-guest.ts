// Starts the program of a call in a guest: what has a stream to an agent, and copies of the files that the call is granted.
import {randomBytes} from 'node:crypto';
import type {Duplex} from 'node:stream';
import type {SandboxProfile} from '@lumenflow/schemas';
import {programArgv} from '../backends/program-argv.ts';
import type {RunnerEnd, StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {hiddenKinds, type GrantedFiles} from '../packed-files/granted-files.ts';
import type {GuestFilesSync} from './guest-files-sync.ts';
import type {HostMessage} from './guest-messages.ts';
import {Guest, type StartStage} from './guest.ts';

export interface GuestStart extends Pick<StartedRunner, 'pid' | 'kill' | 'keepAlive'> {
  /** For messages, such as `the virtual machine`. */
  readonly name: string;
  /** The stream to the agent. */
  readonly port: Duplex;
  /** Resolves once nothing of the guest is left. */
  readonly ended: Promise<RunnerEnd>;
  readonly files: GrantedFiles;
  /** Of those files. Removed with the guest. */
  readonly sync: GuestFilesSync;
  /** Of the program: its mounts are of the guest. */
  readonly profile: SandboxProfile;
  /** Whether it continues from a saved one, and must be renewed before it is used. */
  readonly isRestored?: boolean;
}

export interface StartedGuest extends StartedRunner {
  /** Limits that the guest enforces for the program as a whole. */
  readonly grouped: readonly string[];
}

/** A guest that has ended before its program ran. */
export interface FailedGuest {
  readonly stage: StartStage;
  /** Why it was ended, if it violated the protocol. */
  readonly problem: string | undefined;
}

export async function startInGuest(
  request: Pick<StartRequest, 'profile' | 'program'>,
  start: GuestStart,
): Promise<Outcome<StartedGuest, FailedGuest>> {
  const {program} = request;
  const {name, port, sync, pid, kill, keepAlive} = start;
  const isSpare = program.kind === 'runner' && program.waiting !== undefined;
  const guest = new Guest({port, name, sync, kill, isSpare});
  const ended = start.ended.then(async (end) => {
    guest.end();
    await sync.remove();
    return guest.programEnd ?? end;
  });
  const started = await Promise.race([startProgram(request, guest, start), ended.then(() => undefined)]);
  if (started === undefined) return failed({stage: guest.stage, problem: guest.problem});
  return ok({
    pid,
    wire: program.kind === 'runner' ? guest.wire : undefined,
    stdout: guest.link.stdout,
    stderr: guest.link.stderr,
    ended,
    meter: guest.meter,
    degraded: started.unenforced.map((limit) => `${limit}: best effort, measured every 250 ms`),
    grouped: started.grouped,
    kill,
    keepAlive,
    setUpProblem: () => undefined,
  });
}

/** Resolves once the program runs, and is ready if it reports that. */
async function startProgram(
  {profile: {profile, workspaceRoot}, program}: Pick<StartRequest, 'profile' | 'program'>,
  guest: Guest,
  {files, sync, profile: inside, isRestored = false}: GuestStart,
): Promise<{readonly grouped: readonly string[]; readonly unenforced: readonly string[]}> {
  const {link} = guest;
  if (isRestored) await link.say(renewMessage());
  await guest.reported('up');
  await link.say(openMessage(files));
  await sync.bringIn(link);
  await link.say({
    type: 'start',
    profile: inside,
    argv: programArgv(program, profile),
    cwd: workspaceRoot,
    withWire: program.kind === 'runner',
    ...(program.kind === 'runner' && program.waiting && {waiting: program.waiting}),
  });
  const started = await guest.reported('started');
  if (program.kind === 'runner') await Promise.race([guest.hasSpoken(), guest.reported('ended')]);
  return started;
}

function renewMessage(): HostMessage {
  return {type: 'renew', epochMs: Date.now(), seed: randomBytes(64).toString('base64')};
}

function openMessage({writable, sealed, profile}: GrantedFiles): HostMessage {
  const hidden = new Map(hiddenKinds(profile).map(({path, kind}) => [path, kind]));
  return {type: 'open', writable, excluded: sealed.map((path) => ({path, kind: hidden.get(path)}))};
}

// Starts the program of a call on a worker: what the worker lacks is uploaded, then the call's stream is opened.
import {randomUUID} from 'node:crypto';
import {setTimeout as wait} from 'node:timers/promises';
import type {SandboxProfile} from '@lumenflow/schemas';
import type {Guarantees} from '../backends/security-tier.ts';
import type {StartRequest, StartedRunner} from '../backends/sandbox-backend.ts';
import {openGuestFilesSync} from '../guest/guest-files-sync.ts';
import {startInGuest} from '../guest/start-in-guest.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {ChangedEntry} from '../packed-files/file-mirror.ts';
import {grantedFiles} from '../packed-files/granted-files.ts';
import {baseEnv} from '../profile/base-env.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {DigestCache} from './digest-cache.ts';
import {contentBytesMax} from './packed-contents.ts';
import {RemoteStream} from './remote-stream.ts';
import {uploadContents} from './upload-contents.ts';
import {readAccepted} from './worker-replies.ts';
import type {WorkerClient} from './worker-client.ts';
import type {AcceptedExecution, WorkerBackend} from './worker-report.ts';

export interface KnownWorker {
  readonly client: WorkerClient;
  /** Digests of contents that it is known to have. */
  readonly present: Set<string>;
}

export interface RemoteStart {
  readonly worker: KnownWorker;
  readonly digests: DigestCache;
  /** What the requirements of the call were compared with. */
  readonly required: Guarantees;
  /** A worker that is out of contact for so long has lost its calls. */
  readonly lostMs: number;
  readonly runtimePaths: readonly string[];
  readonly nodePath: string;
}

const requestMs = 30_000;
/** Of a start, with all that is checked before it. */
const startMs = 120_000;
const acceptMax = 3;
const retryMs = 200;
const strengths = ['unsupported', 'best_effort', 'enforced'];

export async function startOnWorker(request: StartRequest, start: RemoteStart): Promise<Outcome<StartedRunner>> {
  const {worker, digests, runtimePaths} = start;
  const provides = (path: string): boolean => runtimePaths.some((own) => isWithin(path, own));
  const files = grantedFiles(request, provides);
  if (!files.ok) return files;
  const identified: ChangedEntry[] = [];
  const sync = await openGuestFilesSync(files.value, async (changes) => {
    for (const change of changes) identified.push(identify(change, digests));
    return identified.filter(({entry}) => entry.kind !== 'file' || entry.size === 0 || entry.sha256 !== undefined);
  });
  const giveUp = async (problem: SandboxProblem): Promise<Outcome<StartedRunner>> => {
    await sync.remove();
    return failed(problem);
  };
  const large = identified.find(({entry}) => entry.size > contentBytesMax);
  if (large !== undefined) return await giveUp(tooLarge(large));
  const uploaded = await uploadContents(worker.client, identified, worker.present);
  if (!uploaded.ok) return await giveUp({...uploaded.problem, retryable: true});
  const accepted = await accept(worker.client, start.required);
  if (!accepted.ok) return await giveUp(accepted.problem);
  const stream = new RemoteStream({client: worker.client, id: accepted.value.id, lostMs: start.lostMs});
  const timer = setTimeout(() => stream.cancel(), startMs);
  const started = await startInGuest(request, {
    name: `the call on the worker \`${worker.client.address.name}\``,
    port: stream,
    pid: undefined,
    kill: () => stream.cancel(),
    keepAlive: () => undefined,
    ended: stream.ended.then(({lost, problem = lost}) => ({
      exitCode: 137,
      ...(problem !== undefined && {lost: problem}),
    })),
    files: files.value,
    sync,
    profile: profileFor(files.value.profile, provides, start),
  });
  clearTimeout(timer);
  if (started.ok) {
    return ok({...started.value, observed: () => stream.observed});
  }
  worker.present.clear();
  const {problem, lost} = await stream.ended;
  return failed(notStarted(worker, started.problem.problem ?? problem ?? lost));
}

/** The content of an empty file needs no transfer. */
function identify(change: ChangedEntry, digests: DigestCache): ChangedEntry {
  const {entry} = change;
  if (entry.kind !== 'file' || entry.size === 0) return change;
  const sha256 = digests.of(change);
  return sha256 === undefined ? change : {...change, entry: {...entry, sha256}};
}

async function accept(client: WorkerClient, required: Guarantees): Promise<Outcome<AcceptedExecution>> {
  const request = {method: 'POST', path: '/v1/executions', idempotencyKey: randomUUID(), timeoutMs: requestMs} as const;
  let reply = await client.send(request);
  // The reply may be lost: the same key never runs twice.
  for (let attempt = 1; attempt < acceptMax && !reply.ok && !reply.problem.isAnswer; attempt += 1) {
    await wait(retryMs);
    reply = await client.send(request);
  }
  if (!reply.ok) return failed({...reply.problem, retryable: true});
  const accepted = readAccepted(reply.value, client);
  if (!accepted.ok) return accepted;
  const {id, enforced} = accepted.value;
  const weaker = weakerGuarantee(enforced, required);
  if (weaker === undefined) return accepted;
  void client.send({method: 'DELETE', path: `/v1/executions/${id}`, timeoutMs: requestMs});
  return failed({
    message: `the worker \`${client.address.name}\` enforces \`${weaker}\` less than the other workers`,
    help: 'choose a stronger backend there',
    retryable: 'once',
  });
}

function weakerGuarantee({guarantees}: WorkerBackend, required: Guarantees): string | undefined {
  return Object.entries(required).find(
    ([name, strength]) => strengths.indexOf(guarantees[name as keyof Guarantees]) < strengths.indexOf(strength),
  )?.[0];
}

/** What the worker has itself is its own; the sources of mounts are of no use to it. */
function profileFor(
  profile: SandboxProfile,
  provides: (path: string) => boolean,
  {nodePath}: RemoteStart,
): SandboxProfile {
  const own = baseEnv({nodePath});
  const sent = (mounts: SandboxProfile['readonly_bind_mounts']): SandboxProfile['readonly_bind_mounts'] =>
    mounts.filter(({target}) => !provides(target)).map(({target}) => ({source: target, target}));
  return {
    ...profile,
    // The call uses the time zone of the host, not of the worker.
    env: Object.fromEntries(
      Object.entries(profile.env).filter(([name, value]) => name === 'TZ' || own[name] !== value),
    ),
    readonly_bind_mounts: sent(profile.readonly_bind_mounts),
    writable_bind_mounts: sent(profile.writable_bind_mounts),
  };
}

function notStarted({client}: KnownWorker, reason = 'it did not start in time'): SandboxProblem {
  return {
    message: `the worker \`${client.address.name}\` did not start the call (${reason})`,
    help: 'see the log of the worker',
    retryable: 'once',
  };
}

function tooLarge({entry}: ChangedEntry): SandboxProblem {
  return {
    message: `\`${entry.path}\` has ${entry.size} bytes, and a worker receives files of at most ${contentBytesMax}`,
    help: 'grant fewer files, or use a backend on this machine, such as `bubblewrap`',
  };
}

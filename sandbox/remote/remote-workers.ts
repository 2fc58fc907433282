// The workers of a host: connected when the first one is needed, and probed once they are.
import {rememberProbe} from '../backends/remember-probe.ts';
import type {AvailableReport, Guarantee, ProbeReport, Strength} from '../backends/probe-report.ts';
import {tierOf, type Guarantees} from '../backends/security-tier.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {RemoteWorker} from '@lumenflow/schemas';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {SigningKey} from '../signatures/signing-key.ts';
import {connectWorkers, noWorkers} from './connect-workers.ts';
import type {KnownWorker} from './start-on-worker.ts';
import {readReport} from './worker-replies.ts';
import type {WorkerReport} from './worker-report.ts';

export interface SeenWorker extends KnownWorker {
  /** Slots, as it last reported and as far as this host uses them. */
  free: number;
}

export interface RemoteWorkers {
  connected(): Promise<Outcome<readonly SeenWorker[]>>;
  /** What all of them guarantee that can be reached. */
  probe(): Promise<ProbeReport>;
}

export interface RemoteWorkersOptions {
  /** Of the backend, for reports. */
  readonly name: string;
  readonly workers: readonly RemoteWorker[];
  /** See `SandboxOptions`. */
  readonly workspaceRoot?: string | undefined;
  /** See `SandboxOptions`. */
  workerKey(): Promise<Outcome<SigningKey>>;
}

const probeMs = 10_000;
const strengths: readonly Strength[] = ['unsupported', 'best_effort', 'enforced'];

export function createRemoteWorkers({
  name,
  workers: named,
  workspaceRoot,
  workerKey,
}: RemoteWorkersOptions): RemoteWorkers {
  const connected = rememberProbe(connect, ({ok}) => ok);
  let probed: AvailableReport | undefined;

  async function connect(): Promise<Outcome<readonly SeenWorker[]>> {
    if (named.length === 0) return failed(noWorkers);
    const key = await workerKey();
    if (!key.ok) return key;
    const clients = connectWorkers(named, {key: key.value, workspaceRoot});
    return clients.ok ? ok(clients.value.map((client) => ({client, present: new Set<string>(), free: 1}))) : clients;
  }

  async function probe(): Promise<ProbeReport> {
    if (probed !== undefined) return probed;
    const workers = await connected();
    if (!workers.ok) return {available: false, backend: name, problem: workers.problem};
    const looks = await Promise.all(workers.value.map(look));
    const reports = looks.flatMap((each) => (each.ok ? each.value : []));
    const guarantees = weakest(reports);
    if (guarantees !== undefined) {
      return (probed = {
        available: true,
        backend: name,
        tier: tierOf(guarantees),
        version: reports.map((each) => `${each.name}: ${each.enforced?.backend} (${each.version})`).join(', '),
        guarantees,
        gaps: looks.flatMap((each) => (each.ok ? [] : [each.problem])),
      });
    }
    const problem = looks.find((each) => !each.ok);
    return {available: false, backend: name, problem: problem?.ok === false ? problem.problem : noWorkers};
  }

  return {connected, probe};
}

async function look(worker: SeenWorker): Promise<Outcome<WorkerReport>> {
  const reply = await worker.client.send({method: 'GET', path: '/v1/worker', timeoutMs: probeMs});
  if (!reply.ok) return reply;
  const read = readReport(reply.value, worker.client, {forCalls: true});
  if (!read.ok) return read;
  const report = read.value;
  worker.free = report.draining ? 0 : report.free;
  return report.enforced === null ? failed(report.problem ?? noBackend) : ok(report);
}

/** What every worker guarantees: a call may run on any of them. */
function weakest(reports: readonly WorkerReport[]): Guarantees | undefined {
  const all = reports.flatMap(({enforced}) => enforced?.guarantees ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const names = Object.keys(first) as Guarantee[];
  const of = (name: Guarantee): Strength =>
    strengths[Math.min(...all.map((each) => strengths.indexOf(each[name])))] ?? 'unsupported';
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Guarantee, Strength>;
}

const noBackend: SandboxProblem = {
  message: 'the worker has no backend that works',
  help: 'run `lumenflow sandbox doctor` on its machine',
};

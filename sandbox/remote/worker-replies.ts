// What a worker replies. It is signed, but by a program of another version perhaps: nothing in it is used before it was checked.
import type {SecurityTier} from '@lumenflow/schemas';
import type {Strength} from '../backends/probe-report.ts';
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {WorkerClient, WorkerReply} from './worker-client.ts';
import {protocol, type AcceptedExecution, type WorkerReport} from './worker-report.ts';

type Fields = Readonly<Record<string, unknown>>;

const tiers: readonly unknown[] = ['none', 'dev', 'standard', 'hardened'] satisfies readonly (SecurityTier | 'none')[];
const strengths: readonly unknown[] = ['unsupported', 'best_effort', 'enforced'] satisfies readonly Strength[];

export interface ReadReport {
  /** Whether the worker is to run calls. Any worker can be drained, for example to update it. */
  readonly forCalls: boolean;
}

export function readReport(
  {body}: WorkerReply,
  client: Pick<WorkerClient, 'address'>,
  {forCalls}: ReadReport,
): Outcome<WorkerReport> {
  const report = fieldsOf(body);
  const other = forCalls ? otherProtocol(report, client) : undefined;
  if (other !== undefined) return other;
  const {name, version, draining, slots, free, enforced, problem} = report;
  const isReport =
    [name, version].every(isText) &&
    typeof draining === 'boolean' &&
    [slots, free].every(isCount) &&
    (enforced === null || isBackend(enforced)) &&
    (problem === undefined || isProblem(problem));
  return isReport ? ok(report as unknown as WorkerReport) : unreadable(client, 'a report');
}

export function readAccepted({body}: WorkerReply, client: Pick<WorkerClient, 'address'>): Outcome<AcceptedExecution> {
  const accepted = fieldsOf(body);
  const other = otherProtocol(accepted, client);
  if (other !== undefined) return other;
  const {id, enforced} = accepted;
  const isAccepted = typeof id === 'string' && /^[\w-]{1,100}$/.test(id) && isBackend(enforced);
  return isAccepted ? ok(accepted as unknown as AcceptedExecution) : unreadable(client, 'the acceptance of a call');
}

/** Digests. */
export function readMissing({body}: WorkerReply, client: Pick<WorkerClient, 'address'>): Outcome<readonly string[]> {
  const missing = parsed(body);
  return Array.isArray(missing) && missing.every(isText) ? ok(missing) : unreadable(client, 'a list of digests');
}

function otherProtocol(
  {protocol: found, version}: Fields,
  {address}: Pick<WorkerClient, 'address'>,
): Failed<SandboxProblem> | undefined {
  if (found === protocol) return undefined;
  const isNewer = typeof found === 'number' && found > protocol;
  const named = isText(version) ? ` (LumenFlow ${version.slice(0, 50)})` : '';
  const uses = typeof found === 'number' ? `uses version ${found}` : 'does not report its version';
  return failed({
    message: `the worker \`${address.name}\`${named} ${uses} of the protocol, and this host uses version ${protocol}`,
    help: isNewer ? 'update LumenFlow on the host' : 'update LumenFlow on the worker',
    retryable: 'once',
  });
}

function unreadable({address}: Pick<WorkerClient, 'address'>, what: string): Failed<SandboxProblem> {
  return failed({
    message: `the worker \`${address.name}\` sent a reply that is not ${what}`,
    help: 'install the same version of LumenFlow on the host and the worker',
    retryable: 'once',
  });
}

function fieldsOf(body: Buffer): Fields {
  return Object(parsed(body)) as Fields;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function isBackend(value: unknown): boolean {
  const {backend, version, tier, guarantees}: Fields = Object(value);
  return (
    [backend, version].every(isText) &&
    tiers.includes(tier) &&
    typeof guarantees === 'object' &&
    guarantees !== null &&
    Object.values(guarantees).every((strength) => strengths.includes(strength))
  );
}

function isProblem(value: unknown): boolean {
  const {message, help}: Fields = Object(value);
  return isText(message) && isText(help);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

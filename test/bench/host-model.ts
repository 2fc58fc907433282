// A model of many hosts on one database, from measured costs. It answers what no test here can try: when a thousand hosts are too many.
//
// Assumptions: one append at a time, each a group of all records that its host has waiting; a host sends one group after another. A call
// has two records, in two appends. All hosts have the same load. Each host asks for events once a second, after each notification, and once
// before each call; questions that wait are one. Each host extends its lease three times in its time. The network adds nothing: hosts far
// from the database must add their round trip to `fixedMs`.

export interface HostCosts {
  /** Of an append: the lock, the commit and its write to disk. */
  readonly fixedMs: number;
  readonly perRecordMs: number;
  /** One question for new events. */
  readonly readMs: number;
  /** One extension of a lease among a thousand. */
  readonly leaseMs: number;
}

export interface HostLoad {
  readonly hosts: number;
  /** Of all hosts together. */
  readonly callsPerSecond: number;
  /** Tasks, claims, approvals, sign-ins. */
  readonly eventsPerSecond: number;
}

export interface HostForecast {
  /** Undefined if the log cannot accept so many. */
  readonly appendMs: number | undefined;
  readonly leasesPerSecond: number;
  /** Questions for events: polls, notifications and those before calls. */
  readonly readsPerSecond: number;
  /** Processors of the database that leases and questions use. */
  readonly cores: number;
  readonly connections: number;
}

/** Medians on a quiet machine, with `fsync`, on a socket of the same machine: `npm run bench -- hosts` measures them again, except the lease. */
export const measuredCosts: HostCosts = {fixedMs: 0.36, perRecordMs: 0.037, readMs: 0.07, leaseMs: 1.6};

const recordsPerCall = 2;
const leaseSeconds = 10;
const connectionsPerHost = 8;

export function forecast(costs: HostCosts, {hosts, callsPerSecond, eventsPerSecond}: HostLoad): HostForecast {
  const leasesPerSecond = (hosts * 3) / leaseSeconds;
  const perHost = callsPerSecond / hosts;
  const readsAtMost = 1_000 / costs.readMs;
  const readsPerSecond = hosts * Math.min(readsAtMost, 1 + eventsPerSecond + perHost);
  return {
    appendMs: appendMs(costs, hosts, callsPerSecond * recordsPerCall),
    leasesPerSecond,
    readsPerSecond,
    cores: (readsPerSecond * costs.readMs + leasesPerSecond * costs.leaseMs) / 1_000,
    connections: hosts * connectionsPerHost,
  };
}

/** More calls a second are impossible, however large the groups are. */
export function callsAtMost({perRecordMs}: HostCosts): number {
  return 1_000 / perRecordMs / recordsPerCall;
}

/** From a record's arrival at its host until it is durable, on average. */
function appendMs({fixedMs, perRecordMs}: HostCosts, hosts: number, recordsPerSecond: number): number | undefined {
  const perMs = recordsPerSecond / 1_000;
  const single = fixedMs + perRecordMs;
  if (perMs * perRecordMs >= 1) return undefined;
  // All hosts have a group in each round: a record waits for half a round until its host's group is done, and a round for its own.
  const inRounds = (1.5 * hosts * fixedMs) / (1 - perMs * perRecordMs);
  const use = perMs * single;
  if (use >= 1) return inRounds;
  // Few records: each is a group of its own, and waits for those before it.
  return Math.min(inRounds, single + (use * single) / (2 * (1 - use)));
}

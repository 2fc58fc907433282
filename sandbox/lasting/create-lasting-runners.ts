// Keeps the sandboxes of programs that last longer than one call. A runner that waits ends when it is idle, when its span is over,
// and when others need the room.
import type {CallFacts} from '../backends/sandbox-call.ts';
import type {NetworkReport} from '../network/call-network.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import type {RunnerWithResources, Spare, SpareUsage} from '../warm-pool/spare.ts';
import type {LastingKey} from './lasting-key.ts';
import type {LastingRequest, ServerRecord, Span} from '../backends/lasting-request.ts';
import {LastingServer} from './lasting-server.ts';
import {serverEnd} from './server-end.ts';

export interface LastingTurn {
  /** What earlier calls left; undefined if a sandbox has to be started. */
  readonly spare: Spare | undefined;
  readonly record: ServerRecord;
  /** What the network of the runner had reported before this call. */
  readonly reported: NetworkReport | undefined;
  /** The call has its output: the runner waits for the next one, if it can serve one. Otherwise it is killed. `usage`: of all its calls. */
  keep(runner: RunnerWithResources, output: CallFacts['output'], usage?: SpareUsage): void;
  /** Whether the runner waits for another call. */
  isKept(): boolean;
  /** The call is over; without facts, its runner was not started. */
  leave(facts: CallFacts | undefined): void;
}

export interface LastingRunners {
  /** Begins a call. The host makes calls of one program one after another: a second one at once has a separate sandbox. */
  begin(key: LastingKey, request: LastingRequest, profile: CompiledProfile): LastingTurn;
  /** Ends the sandboxes of spans that are over. */
  endSpans(isOver: (span: Span) => boolean): void;
  /** Ends all, and waits for their end. */
  close(): Promise<void>;
}

export interface LastingLimits {
  /** Sandboxes that wait between calls; default 32. The one that has waited longest ends first. */
  readonly idleMax?: number;
}

export function createLastingRunners(now: () => number, {idleMax = 32}: LastingLimits = {}): LastingRunners {
  const servers = new Map<string, LastingServer>();
  const ending = new Set<Promise<unknown>>();
  let isClosed = false;

  function makeRoom(): void {
    const idle = [...servers.values()].flatMap((server) => server.idle ?? []).toSorted((a, b) => a.since - b.since);
    for (const runner of idle.slice(0, Math.max(0, idle.length - idleMax + 1))) runner.end('room');
  }

  function wait(server: LastingServer, runner: RunnerWithResources, {idleMs, profile, usage}: Waiting): void {
    makeRoom();
    server.wait(runner, {
      profile,
      idleMs,
      usage,
      since: now(),
      onEnd() {
        const end = runner.ended.finally(() => ending.delete(end));
        ending.add(end);
      },
    });
  }

  function begin({owner, files}: LastingKey, {span, idleMs, survives}: LastingRequest, profile: CompiledProfile) {
    const known = servers.get(owner);
    const server = known === undefined || known.isBusy ? new LastingServer(span) : known;
    if (known === undefined) servers.set(owner, server);
    const {reported} = server;
    const spare = server.begin(files);
    return turnOf(server, {
      spare,
      reported: spare && reported,
      record: server.record(),
      keep(runner, output, usage) {
        const isWanted = !isClosed && servers.get(owner) === server && survives(output);
        if (isWanted) wait(server, runner, {idleMs, profile, usage});
        else runner.kill();
      },
    });
  }

  return {
    begin,
    endSpans(isOver) {
      for (const [owner, {span, idle}] of servers) {
        if (!isOver(span)) continue;
        servers.delete(owner);
        idle?.end();
      }
    },
    async close() {
      isClosed = true;
      for (const {idle} of servers.values()) idle?.end();
      servers.clear();
      await Promise.all(ending);
    },
  };
}

interface Waiting {
  readonly idleMs: number;
  readonly profile: CompiledProfile;
  readonly usage: SpareUsage | undefined;
}

function turnOf(server: LastingServer, turn: Omit<LastingTurn, 'isKept' | 'leave'>): LastingTurn {
  return {
    ...turn,
    isKept: () => server.idle !== undefined,
    leave: (facts) => server.leave(facts === undefined ? 'crash' : serverEnd(facts)),
  };
}

// A virtual object for each run: the server lets one invocation at a time advance it, and an awakeable waits for each approval. What
// the run has done is not in the server's journal but in the kernel's log, so a repeated attempt repeats no recorded call.
import './promise-with-resolvers.ts';
import {isFinalError, type EngineWork, type RunProgress} from '@lumenflow/kernel/adapters';
import {
  CancelledError,
  handlers,
  object,
  RestatePromise,
  TerminalError,
  type ObjectContext,
  type VirtualObjectDefinition,
} from '@restatedev/restate-sdk';

export interface RetryOptions {
  /** How many attempts in a row may fail before the run is parked; default 10. */
  readonly attemptsMax?: number;
  /** Before the second attempt; default 1,000. Each further delay is twice as long. */
  readonly firstMs?: number;
  /** The longest delay; default 60,000. */
  readonly mostMs?: number;
}

/** What the state of an object contains. */
export interface RunState {
  /** The awakeable of each request that a waiting run waits for. */
  waits: Readonly<Record<string, string>>;
  /** Why the run is parked. */
  parked: string;
  /** When it was last parked: milliseconds since 1970. A run under way keeps it, because runs that an earlier version began do not clear it. */
  parked_at: number;
}

/** Names the wait of a run that waits for no request in particular. */
export const anySignal = '';

/** The cause itself is in the workspace's log, or in what the server logs. */
const reasonMax = 2_000;

type Handler = (ctx: ObjectContext<RunState>) => Promise<void>;
type RunObject = VirtualObjectDefinition<string, {readonly run: Handler}>;

const second = 1_000;
const hour = 3_600 * second;

/** No program runs for longer without a stop; the server would abort the attempt. */
const attemptMs = 2 * hour;
/** A waiting run has no connection to a worker after this time. */
const inactivityMs = 5 * second;
/** A run whose task was cancelled by a person gets no signal: its records are read at this interval. */
const lookMs = 6 * hour;
/** As long as no worker is reachable, for example. */
const attemptsWithoutEnd = 1_000_000_000;

export function createRunObject(name: string, work: EngineWork, retry: RetryOptions = {}): RunObject {
  const {firstMs = second, mostMs = 60 * second} = retry;
  const run = handlers.object.exclusive<void, void, RunState>({}, async (ctx) => {
    try {
      await advanceToEnd(ctx, work, retry);
      ctx.clearAll();
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      ctx.clearAll();
      if (error instanceof CancelledError) return;
      ctx.set('parked', shortened(error.message));
      ctx.set('parked_at', await ctx.date.now());
    }
  });
  return object({
    name,
    handlers: {run},
    options: {
      inactivityTimeout: inactivityMs,
      abortTimeout: attemptMs,
      journalRetention: hour,
      retryPolicy: {initialInterval: firstMs, maxInterval: mostMs, maxAttempts: attemptsWithoutEnd},
    },
  });
}

/** Throws TerminalError if it was cancelled, or if too many attempts failed. */
async function advanceToEnd(ctx: ObjectContext<RunState>, work: EngineWork, retry: RetryOptions): Promise<void> {
  ctx.clear('parked');
  for (let laters = 0; ;) {
    const progress = await attempt(ctx, work, retry);
    if (progress.state === 'over') return;
    if (progress.state === 'waiting') await untilAnswered(ctx, progress.waits_for);
    else await ctx.sleep(delayOf((laters += 1), retry));
    if (progress.state === 'waiting') laters = 0;
  }
}

async function attempt(ctx: ObjectContext<RunState>, work: EngineWork, retry: RetryOptions): Promise<RunProgress> {
  const {attemptsMax = 10, firstMs = second, mostMs = 60 * second} = retry;
  const {attemptCompletedSignal} = ctx.request();
  const advance = async (): Promise<RunProgress> => {
    try {
      return await work.advance(ctx.key, attemptCompletedSignal);
    } catch (error) {
      throw isFinalError(error) ? new TerminalError((error as Error).message) : error;
    }
  };
  return await ctx.run('advance', advance, {
    maxRetryAttempts: attemptsMax,
    initialRetryInterval: firstMs,
    maxRetryInterval: mostMs,
  });
}

async function untilAnswered(ctx: ObjectContext<RunState>, requests: readonly string[]): Promise<void> {
  const waits = (requests.length > 0 ? requests : [anySignal]).map((request) => ({request, ...ctx.awakeable<null>()}));
  ctx.set('waits', Object.fromEntries(waits.map(({request, id}) => [request, id])));
  await RestatePromise.race([...waits.map(({promise}) => promise), ctx.sleep(lookMs)]);
  ctx.clear('waits');
}

function delayOf(tries: number, {firstMs = second, mostMs = 60 * second}: RetryOptions): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 20));
}

function shortened(reason: string): string {
  return reason.length > reasonMax ? `${reason.slice(0, reasonMax)} …` : reason;
}

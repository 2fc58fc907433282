// A runner between two calls. It is killed when it sends something, when it exceeds a limit, and when its sandbox no longer hides
// or seals a file.
import {watchUsage} from '../limits/watch-usage.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {watchSeals} from '../seals/watch-seals.ts';
import {activateAgain, type RunnerWithResources, type Spare, type SpareUsage} from '../warm-pool/spare.ts';
import type {ServerEnd} from './server-end.ts';

export interface IdleRunner {
  readonly spare: Spare;
  /** Since when, in milliseconds. */
  readonly since: number;
  /** A call takes it. Undefined if it has ended. */
  take(): Spare | undefined;
  /** Without a reason: its span is over. */
  end(why?: ServerEnd): void;
}

export interface IdleOptions {
  readonly profile: CompiledProfile;
  readonly served: number;
  readonly since: number;
  /** It ends after this time. */
  readonly idleMs: number;
  /** Of all calls so far; default measured now. */
  readonly usage: SpareUsage | undefined;
  /** Called once, if it ends before a call takes it. */
  onEnd(why: ServerEnd | undefined): void;
}

/** A measurement reads all of /proc, and a runner can wait for hours. */
const idleIntervalMs = 1_000;

/** Undefined if the runner has ended already. */
export function createIdleRunner(runner: RunnerWithResources, options: IdleOptions): IdleRunner | undefined {
  const {profile, served, since, idleMs, usage, onEnd} = options;
  const spare = activateAgain(runner, served, usage);
  if (spare === undefined) return undefined;
  let isOver = false;
  const release = (): boolean => {
    if (isOver) return false;
    isOver = true;
    clearTimeout(timer);
    watch?.release();
    seals.finish('');
    return true;
  };
  const end = (why?: ServerEnd): void => {
    if (!release()) return;
    // `close` of a host waits for its end.
    runner.keepAlive(true);
    runner.kill();
    onEnd(why);
  };
  const timer = setTimeout(() => end('idle'), idleMs).unref();
  const seals = watchSeals(profile);
  seals.broken.addEventListener('abort', () => end('changed'), {once: true});
  const watch =
    runner.meter &&
    watchUsage({
      meter: runner.meter,
      limits: profile.profile.limits,
      earlierCpuMs: spare.cpuMs,
      intervalMs: idleIntervalMs,
      kill: () => end('limit'),
    });
  if (seals.broken.aborted) end('changed');
  void runner.ended.then(() => end(runner.meter?.ranOutOfMemory() === true ? 'limit' : 'crash'));
  return {
    spare,
    since,
    take() {
      if (!spare.isUsable()) end('crash');
      if (!release()) return undefined;
      spare.assign();
      return spare;
    },
    end,
  };
}

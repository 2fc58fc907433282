// Runs as scripts, with a separate log that decides what they do next, as the kernel's log does for real runs.
import type {EngineWork, RunProgress} from '@lumenflow/kernel/adapters';

/**
 * do: an effect, recorded once. ask: waits for answers. hold: stays under way until it is let go. fail: so many attempts reject.
 * refuse: the same with an error that is final. later: so many attempts find that something prevents them.
 */
export type ScriptedStep =
  | {readonly do: string}
  | {readonly ask: readonly string[]}
  | {readonly hold: true}
  | {readonly fail: number}
  | {readonly refuse: number}
  | {readonly later: number};

export interface ScriptedRun {
  /** Attempts so far. */
  attempts: number;
  /** Attempts whose signal was aborted. */
  aborted: number;
  /** Whether two attempts were ever under way at a time. */
  overlapped: boolean;
}

export interface ScriptedWork extends EngineWork {
  add(run_id: string, steps: readonly ScriptedStep[]): ScriptedRun;
  answer(request: string): void;
  /** Ends the `hold` of all runs. */
  letGo(): void;
  /** What was done, in order: `RUN EFFECT`. */
  readonly effects: readonly string[];
  /** The attempts that are under way. */
  readonly underWay: number;
}

interface State extends ScriptedRun {
  readonly steps: readonly ScriptedStep[];
  at: number;
  tries: number;
  isUnderWay: boolean;
}

export function createScriptedWork(): ScriptedWork {
  const runs = new Map<string, State>();
  const effects: string[] = [];
  const answers = new Set<string>();
  const held: (() => void)[] = [];

  const hold = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      held.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), {once: true});
    });

  /** Undefined: the step is done. */
  async function carryOut(run_id: string, run: State, signal: AbortSignal): Promise<RunProgress | undefined> {
    const step = run.steps[run.at] ?? {do: 'nothing'};
    if ('do' in step) effects.push(`${run_id} ${step.do}`);
    if ('hold' in step) await hold(signal);
    if ('fail' in step && (run.tries += 1) <= step.fail) throw new Error(`${run_id} is broken`);
    if ('refuse' in step && (run.tries += 1) <= step.refuse) throw refused(run_id);
    if ('later' in step && (run.tries += 1) <= step.later) return {state: 'later', reason: 'the lane is full'};
    const open = 'ask' in step ? step.ask.filter((request) => !answers.has(request)) : [];
    return open.length > 0 ? {state: 'waiting', waits_for: open} : undefined;
  }

  async function proceed(run_id: string, run: State, signal: AbortSignal): Promise<RunProgress> {
    while (run.at < run.steps.length) {
      const stopped = await carryOut(run_id, run, signal);
      if (stopped) return stopped;
      run.at += 1;
      run.tries = 0;
    }
    return {state: 'over'};
  }

  return {
    effects,
    get underWay() {
      return [...runs.values()].filter(({isUnderWay}) => isUnderWay).length;
    },
    add(run_id, steps) {
      const run = {steps, at: 0, tries: 0, attempts: 0, aborted: 0, isUnderWay: false, overlapped: false};
      runs.set(run_id, run);
      return run;
    },
    answer: (request) => void answers.add(request),
    letGo() {
      for (const resolve of held.splice(0)) resolve();
    },
    async advance(run_id, signal) {
      const run = runs.get(run_id);
      if (run === undefined) throw new Error(`there is no run ${run_id}`);
      run.overlapped ||= run.isUnderWay;
      run.attempts += 1;
      run.isUnderWay = true;
      try {
        return await proceed(run_id, run, signal);
      } finally {
        if (signal.aborted) run.aborted += 1;
        run.isUnderWay = false;
      }
    },
    read: async (run_id) => await Promise.resolve(progressOf(runs.get(run_id))),
  };
}

function refused(run_id: string): Error {
  return Object.assign(new Error(`${run_id} is refused`), {is_final: true});
}

function progressOf(run: State | undefined): RunProgress | undefined {
  if (run === undefined) return undefined;
  const step = run.steps[run.at];
  if (step === undefined) return {state: 'over'};
  if ('ask' in step && run.attempts > 0) return {state: 'waiting', waits_for: step.ask};
  return {state: 'later', reason: 'it is not over'};
}

// One run of a chain, with its values and limits.
import type {ChainLimits, ChainResult, ChainStep, ChainStepResult, ToolFailure} from '@lumenflow/schemas';
import type {RunOptions} from '../run-tool.ts';
import {runStep, type RunStep} from './run-step.ts';

const limitsMax: Required<ChainLimits> = {
  steps: 100,
  tool_calls: 100,
  wall_time_ms: 600_000,
  output_bytes: 10 * 1024 * 1024,
};

export interface Chain {
  readonly steps: readonly ChainStep[];
  readonly limits?: ChainLimits | undefined;
}

interface ChainRunOptions {
  readonly signal?: AbortSignal | undefined;
  on_progress?: ((payload: unknown, step: number) => void) | undefined;
}

export class ChainRun {
  readonly #run: RunStep;
  readonly #steps: readonly ChainStep[];
  readonly #limits: Required<ChainLimits>;
  readonly #options: ChainRunOptions;
  readonly #stop = new AbortController();
  readonly #values = new Map<string, unknown>();
  readonly #results: ChainStepResult[] = [];
  #calls = 0;
  #bytes = 0;
  #isOverTime = false;

  constructor(run: RunStep, {steps, limits}: Chain, options: ChainRunOptions) {
    this.#run = run;
    this.#steps = steps;
    this.#limits = {...limitsMax, ...limits};
    this.#options = options;
  }

  async run(): Promise<ChainResult> {
    const started = performance.now();
    const {signal} = this.#options;
    const cancel = (): void => this.#stop.abort();
    const timer = setTimeout(() => {
      this.#isOverTime = true;
      cancel();
    }, this.#limits.wall_time_ms);
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel);
    try {
      const error = await this.#runSteps();
      const steps = [...this.#results, ...this.#steps.slice(this.#results.length).map(notRun)];
      const value = this.#values.get('previous') ?? null;
      return {value, steps, duration_ms: performance.now() - started, ...(error && {error})};
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Returns why the chain ended early. */
  async #runSteps(): Promise<ToolFailure | undefined> {
    const {steps: stepsMax} = this.#limits;
    if (this.#steps.length > stepsMax) return beyond('steps', stepsMax);
    for (const [index, step] of this.#steps.entries()) {
      const ended = this.#ended();
      if (ended) return ended;
      const result = await runStep(this.#run, step, this.#values, this.#optionsOf(index));
      this.#keep(result);
      this.#results.push(result);
      const {error} = result;
      if (error && step.on_error !== 'continue') return stoppedBy(error, index);
      if (this.#bytes > this.#limits.output_bytes) return beyond('output_bytes', this.#limits.output_bytes);
    }
    return undefined;
  }

  #keep({value, as, status, duration_ms}: ChainStepResult): void {
    // A step without a duration made no call.
    if (duration_ms !== undefined) this.#calls += 1;
    if (status !== 'succeeded') return;
    this.#bytes += Buffer.byteLength(JSON.stringify(value) ?? '');
    this.#values.set('previous', value);
    if (as !== undefined) this.#values.set(as, value);
  }

  #optionsOf(index: number): RunOptions {
    const {signal} = this.#stop;
    const {on_progress} = this.#options;
    return on_progress ? {signal, on_progress: (payload) => on_progress(payload, index)} : {signal};
  }

  #ended(): ToolFailure | undefined {
    const {tool_calls, wall_time_ms} = this.#limits;
    if (this.#isOverTime) return beyond('wall_time_ms', wall_time_ms);
    if (this.#stop.signal.aborted) return {code: 'TOOL_CANCELLED', message: 'the chain was cancelled'};
    return this.#calls >= tool_calls ? beyond('tool_calls', tool_calls) : undefined;
  }
}

function notRun({tool, as}: ChainStep): ChainStepResult {
  return {tool_id: tool, ...(as !== undefined && {as}), status: 'not_run'};
}

function stoppedBy({code, message, details}: ToolFailure, index: number): ToolFailure {
  return {code, message: `step ${index + 1} failed: ${message}`, details: {...details, step: index}};
}

function beyond(limit: keyof ChainLimits, most: number): ToolFailure {
  const message = `the chain reached its limit of ${most} ${limit}`;
  return {code: 'LIMIT_EXCEEDED', message, details: {limit, [limit]: most}};
}

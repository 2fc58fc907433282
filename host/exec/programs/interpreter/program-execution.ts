// One execution of a program: it counts against the limits, evaluates, and records each step. What leaves the program (calls and
// requests for approval) goes through the run's ports.
import type {Outcome} from '@lumenflow/kernel';
import type {Program, ProgramLimits, ProgramStep, ProgramStepRecord, ToolFailure} from '@lumenflow/schemas';
import {compileTemplate} from '../document/compile-template.ts';
import {stepKind} from '../document/step-kind.ts';
import type {Evaluator} from '../expressions/create-evaluator.ts';
import type {Interpreter, ProgramCall} from './interpreter.ts';
import {endedAt, failedAt, next, type StepEnd, type Stopped, type Values} from './step-end.ts';
import type {StepPlace} from './step-place.ts';
import {stepTable} from './step-table.ts';

export interface CallEnd {
  readonly end:
    | {readonly type: 'value'; readonly value: unknown}
    | {readonly type: 'failed'; readonly error: ToolFailure}
    | Stopped;
  readonly receipt_id?: string | undefined;
  readonly request_id?: string | undefined;
}

/** Each returns what the records say, if the step has ended before. */
export interface ExecutionPorts {
  call(call: ProgramCall, place: StepPlace): Promise<CallEnd>;
  approval(statement: string, place: StepPlace): Promise<CallEnd>;
  beganAt(at: string): number | undefined;
  now(): number;
  sleep(ms: number): Promise<boolean>;
  /** Why the run must stop now. */
  stop(at: string): Stopped | undefined;
  onStep(record: ProgramStepRecord): void;
}

/** Values of expressions stay in memory for the steps after them. */
const valueBytesMax = 64 * 1024 * 1024;
const beyondValues: ToolFailure = {
  code: 'LIMIT_EXCEEDED',
  message: `the values of the program's expressions are more than ${valueBytesMax} bytes as JSON`,
  details: {limit: 'value_bytes', value_bytes: valueBytesMax},
};

export class ProgramExecution implements Interpreter {
  readonly limits: Required<ProgramLimits>;
  readonly #ports: ExecutionPorts;
  readonly #evaluator: Evaluator;
  readonly #began = new Map<string, number>();
  /** An expression beyond its bounds ends the run: whether it is depends on the machine, so no `catch` may decide by it. */
  #unbounded: ToolFailure | undefined;
  #steps = 0;
  #bytes = 0;
  #valueBytes = 0;

  constructor(evaluator: Evaluator, limits: Required<ProgramLimits>, ports: ExecutionPorts) {
    this.#evaluator = evaluator;
    this.limits = limits;
    this.#ports = ports;
  }

  async run({steps}: Program, inputs: Values): Promise<StepEnd> {
    return await this.steps(steps, {at: '/steps', values: {inputs}, depth: 1});
  }

  async steps(steps: readonly ProgramStep[], place: StepPlace): Promise<StepEnd> {
    const {depth} = this.limits;
    if (place.depth > depth) return endedAt(place.at, this.#beyond('depth'));
    let {values} = place;
    for (const [index, step] of steps.entries()) {
      const end = await this.#step(step, {...place, at: `${place.at}/${index}`, values});
      if (end.type !== 'next') return end;
      ({values} = end);
    }
    return next(values);
  }

  async #step(step: ProgramStep, place: StepPlace): Promise<StepEnd> {
    const {at} = place;
    this.#steps += 1;
    if (this.#steps > this.limits.steps) return endedAt(at, this.#beyond('steps'));
    const stop = this.#ports.stop(at);
    if (stop) return stop;
    const kind = stepKind(step);
    this.#ports.onStep({step: at, kind, state: 'running', ...(step.call !== undefined && {tool_id: step.call})});
    const ran = await stepTable[kind](this, step, place);
    const end = this.#unbounded && ran.type !== 'stopped' ? endedAt(at, this.#unbounded) : ran;
    if (kind !== 'call' && kind !== 'wait_for_approval') this.#ports.onStep({step: at, kind, ...stateOf(end)});
    return end;
  }

  async fill(data: unknown, values: Values): Promise<Outcome<unknown, ToolFailure>> {
    const {expressions, fill} = compileTemplate(data);
    if (expressions.length === 0) return {ok: true, value: fill([])};
    const found = await this.#evaluate(
      expressions.map(({expression}) => expression),
      values,
    );
    return found.ok ? {ok: true, value: fill(found.value)} : found;
  }

  async evaluate(expression: string, values: Values): Promise<Outcome<unknown, ToolFailure>> {
    const found = await this.#evaluate([expression], values);
    return found.ok ? {ok: true, value: found.value[0]} : found;
  }

  async #evaluate(sources: readonly string[], values: Values): Promise<Outcome<readonly unknown[], ToolFailure>> {
    const words = new Set(sources.flatMap((source) => source.match(/\w+/gu) ?? []));
    const named = Object.fromEntries(Object.entries(values).filter(([name]) => words.has(name)));
    const found = await this.#evaluator.evaluate({sources, values: named});
    if (!found.ok) return this.#unevaluated(found.problem);
    this.#valueBytes += found.value.bytes;
    if (this.#valueBytes > valueBytesMax) return this.#unevaluated(beyondValues);
    return {ok: true, value: found.value.value};
  }

  #unevaluated(problem: ToolFailure): Outcome<never, ToolFailure> {
    if (problem.code === 'LIMIT_EXCEEDED') this.#unbounded ??= problem;
    return {ok: false, problem};
  }

  async call(call: ProgramCall, place: StepPlace, as: string | undefined): Promise<StepEnd> {
    const made = await this.#ports.call(call, place);
    const end = this.#afterCall(made.end, place, as);
    this.#record({step: place.at, kind: 'call', tool_id: call.tool}, end, made);
    return end;
  }

  #afterCall(end: CallEnd['end'], {at, values}: StepPlace, as: string | undefined): StepEnd {
    if (end.type === 'failed') return failedAt(at, end.error);
    if (end.type === 'stopped') return end;
    this.#bytes += Buffer.byteLength(JSON.stringify(end.value) ?? '');
    if (this.#bytes > this.limits.output_bytes) return endedAt(at, this.#beyond('output_bytes'));
    return next(as === undefined ? values : {...values, [as]: end.value});
  }

  async approval(statement: string, place: StepPlace): Promise<StepEnd> {
    const asked = await this.#ports.approval(statement, place);
    const end = this.#afterCall(asked.end, place, undefined);
    this.#record({step: place.at, kind: 'wait_for_approval'}, end, asked);
    return end;
  }

  #record(record: Pick<ProgramStepRecord, 'step' | 'kind' | 'tool_id'>, end: StepEnd, made: CallEnd): void {
    const {receipt_id, request_id} = made;
    this.#ports.onStep({
      ...record,
      ...stateOf(end),
      ...(receipt_id !== undefined && {receipt_id}),
      ...(request_id !== undefined && {request_id}),
    });
  }

  beganAt(at: string): number {
    const began = this.#ports.beganAt(at) ?? this.#began.get(at) ?? this.#ports.now();
    this.#began.set(at, began);
    return began;
  }

  hasBegun(at: string): boolean {
    return this.#ports.beganAt(at) !== undefined;
  }

  sleep(ms: number): Promise<boolean> {
    return this.#ports.sleep(ms);
  }

  #beyond(limit: keyof ProgramLimits): ToolFailure {
    const most = this.limits[limit];
    return {
      code: 'LIMIT_EXCEEDED',
      message: `the program reached its limit of ${most} ${limit}`,
      details: {limit, [limit]: most},
    };
  }
}

function stateOf(end: StepEnd): Pick<ProgramStepRecord, 'state' | 'error'> {
  if (end.type === 'failed') return {state: 'failed', error: withoutStep(end.failure)};
  if (end.type !== 'stopped') return {state: 'succeeded'};
  const error = end.failure && {error: withoutStep(end.failure)};
  if (end.state === 'interrupted') return {state: 'running', ...error};
  return {state: end.state, ...error};
}

function withoutStep({code, message, details}: ToolFailure): ToolFailure {
  return {code, message, ...(details && {details})};
}

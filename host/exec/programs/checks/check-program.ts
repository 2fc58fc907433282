// Checks a whole program before anything runs: all problems at once, each with its position, and what its calls could do.
import {failed, ok, type KernelRuntime, type LaneContext, type Outcome, type Problem} from '@lumenflow/kernel';
import type {Program, ProgramCheck, ProgramProblem, ProgramStep} from '@lumenflow/schemas';
import {validateProgram} from '@lumenflow/schemas/validators';
import {innerSteps} from '../document/inner-steps.ts';
import {programText, readProgram, type ProgramDocument, type ProgramText} from '../document/read-program.ts';
import {programLimits} from '../interpreter/program-limits.ts';
import {CheckContext} from './check-context.ts';
import {checkInputSchemas, inputsSchema} from './check-inputs.ts';
import {checkSteps} from './check-steps.ts';
import {countCalls} from './count-calls.ts';
import {previewCalls} from './preview-calls.ts';
import {withoutInvalidSteps} from './without-invalid-steps.ts';

export interface CheckedProgram {
  readonly check: ProgramCheck;
  /** Without errors. */
  readonly document: Outcome<ProgramDocument, readonly Problem[]>;
}

/** `program`: its text, or the program as an object. */
export async function checkProgram(
  runtime: Pick<KernelRuntime, 'explainTool' | 'workspace'>,
  program: ProgramText | Program,
  context: LaneContext = {lane_id: runtime.workspace.spec.lanes[0].id},
): Promise<CheckedProgram> {
  const text = isText(program) ? ok(program) : programText(program);
  const read = text.ok ? readProgram(text.value) : text;
  const readable = read.ok ? read.value : text.ok ? readableRest(text.value, read.problem) : undefined;
  const shape = read.ok ? [] : read.problem;
  if (readable === undefined) {
    const nothing = {read: [], write: [], network: {posture: 'off' as const, allowlist_entries: []}};
    return {check: {problems: shape.map(shown), calls: [], calls_max: 0, scopes: nothing}, document: failed(shape)};
  }
  const problems = inOrder([...shape, ...problemsOf(runtime, readable)]);
  const {calls, scopes} = await previewCalls(runtime, readable, context);
  const {name, steps} = readable.program;
  const check = {name, problems: problems.map(shown), calls: [...calls], calls_max: countCalls(steps), scopes};
  const isValid = read.ok && problems.every(({severity}) => severity !== 'error');
  return {check, document: isValid ? read : failed(problems)};
}

function isText(program: ProgramText | Program): program is ProgramText {
  return 'text' in program && 'file' in program;
}

/** What the schema accepts, if that is a program. */
function readableRest({file, text}: ProgramText, problems: readonly Problem[]): ProgramDocument | undefined {
  const lenient = readProgram({file, text}, () => true);
  if (!lenient.ok) return undefined;
  const rest = withoutInvalidSteps(lenient.value.program, problems);
  return validateProgram(rest) ? {...lenient.value, program: rest as Program} : undefined;
}

function problemsOf({workspace}: Pick<KernelRuntime, 'workspace'>, document: ProgramDocument): readonly Problem[] {
  const {program} = document;
  const context = new CheckContext(workspace.tools, document);
  const size = countSteps(program.steps);
  if (size > stepsMax) {
    context.report('/steps', `the program has ${size} steps, and can have ${stepsMax}`, {
      help: 'repeat steps with `foreach`',
    });
    return context.problems;
  }
  checkInputSchemas(context, program);
  checkSteps(context, program.steps, '/steps', new Map([['inputs', inputsSchema(program)]]));
  const {tool_calls} = programLimits(program.limits);
  const most = countCalls(program.steps);
  if (most > tool_calls) {
    const message = `it could make ${most} calls, and its limit is ${tool_calls}`;
    context.report('/steps', message, {severity: 'warning', help: 'lower `max` of its loops'});
  }
  return context.problems;
}

function shown({pointer, help, ...problem}: Problem): ProgramProblem {
  return {...problem, ...(pointer !== undefined && {pointer}), ...(help !== undefined && {help})};
}

/** Checking must not take long: the names that are known grow with the steps. */
const stepsMax = 300;

function countSteps(steps: readonly ProgramStep[]): number {
  return steps.reduce(
    (sum, step) => sum + 1 + innerSteps(step).reduce((inside, list) => inside + countSteps(list.steps), 0),
    0,
  );
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((one, other) => one.where.localeCompare(other.where, 'en', {numeric: true}));
}

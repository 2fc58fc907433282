// Checks the text of a program: all problems at once, each with its position.
import {failed, type Outcome, type Problem} from '@lumenflow/kernel';
import type {Program, ProgramStep} from '@lumenflow/schemas';
import {validateProgram} from '@lumenflow/schemas/validators';
import {innerSteps} from '../document/inner-steps.ts';
import {readProgram, type ProgramDocument, type ProgramText} from '../document/read-program.ts';
import {programLimits} from '../interpreter/program-limits.ts';
import {CheckContext, type CheckRules} from './check-context.ts';
import {checkInputSchemas, inputsSchema} from './check-inputs.ts';
import {checkSteps} from './check-steps.ts';
import {countCalls} from './count-calls.ts';
import {withoutInvalidSteps} from './without-invalid-steps.ts';

export interface CheckedText {
  /** Errors and warnings, in the order of the text. */
  readonly problems: readonly Problem[];
  /** Without errors. */
  readonly document: Outcome<ProgramDocument, readonly Problem[]>;
  /** What could be read of it. */
  readonly readable?: ProgramDocument;
}

export function checkText(text: ProgramText, rules: CheckRules): CheckedText {
  const read = readProgram(text);
  const readable = read.ok ? read.value : readableRest(text, read.problem);
  const shape = read.ok ? [] : read.problem;
  if (readable === undefined) return {problems: shape, document: failed(shape)};
  const problems = inOrder([...shape, ...problemsOf(readable, rules)]);
  const isValid = read.ok && problems.every(({severity}) => severity !== 'error');
  return {problems, document: isValid ? read : failed(problems), readable};
}

/** What the schema accepts, if that is a program. */
function readableRest({file, text}: ProgramText, problems: readonly Problem[]): ProgramDocument | undefined {
  const lenient = readProgram({file, text}, () => true);
  if (!lenient.ok) return undefined;
  const rest = withoutInvalidSteps(lenient.value.program, problems);
  return validateProgram(rest) ? {...lenient.value, program: rest as Program} : undefined;
}

function problemsOf(document: ProgramDocument, rules: CheckRules): readonly Problem[] {
  const {program} = document;
  const context = new CheckContext(rules, document);
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

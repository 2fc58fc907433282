// Checks a whole program before anything runs: all problems at once, each with its position, and what its calls could do.
import {failed, ok, type KernelRuntime, type LaneContext, type Outcome, type Problem} from '@lumenflow/kernel';
import type {Program, ProgramCheck, ProgramProblem} from '@lumenflow/schemas';
import {programText, type ProgramDocument, type ProgramText} from '../document/read-program.ts';
import {checkText, type CheckedText} from './check-text.ts';
import {countCalls} from './count-calls.ts';
import {previewCalls} from './preview-calls.ts';

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
  const checked: CheckedText = text.ok
    ? checkText(text.value, runtime.workspace)
    : {problems: text.problem, document: failed(text.problem)};
  const {document, readable} = checked;
  const problems = checked.problems.map(shown);
  if (readable === undefined) {
    const nothing = {read: [], write: [], network: {posture: 'off' as const, allowlist_entries: []}};
    return {check: {problems, calls: [], calls_max: 0, scopes: nothing}, document};
  }
  const {calls, scopes} = await previewCalls(runtime, readable, context);
  const {name, steps} = readable.program;
  return {check: {name, problems, calls: [...calls], calls_max: countCalls(steps), scopes}, document};
}

function isText(program: ProgramText | Program): program is ProgramText {
  return 'text' in program && 'file' in program;
}

function shown({pointer, help, ...problem}: Problem): ProgramProblem {
  return {...problem, ...(pointer !== undefined && {pointer}), ...(help !== undefined && {help})};
}

// Runs a program in the context of a run: live, or from its records only. Both are the same code, so the record of a run shows
// exactly what a resumed run would find.
import {executeDocument, type Executed, type ExecutionRequest} from '../interpreter/execute-document.ts';
import {approvalStep} from './approval-step.ts';
import {callStep} from './call-step.ts';
import type {ProgramRunContext} from './program-run-context.ts';

export async function executeProgram(run: ProgramRunContext, request: ExecutionRequest): Promise<Executed> {
  return await executeDocument(
    {
      call: (call, place) => callStep(run, call, place),
      approval: (statement, place) => approvalStep(run, statement, place),
      beganAt: (at) => run.journal.beganAt(at),
      now: run.now,
      canSleep: run.make !== undefined,
    },
    request,
  );
}

// `lumenflow program resume`: continues a run after the last step that has ended.
import {resumeProgram} from '../../exec/index.ts';
import type {Command} from '../command.ts';
import {findRunId} from '../programs/find-run-id.ts';
import {narrateSteps} from '../programs/narrate-steps.ts';
import {programFailure} from '../programs/program-failure.ts';
import {runOutcome} from '../programs/run-outcome.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

export const programResume: Command<{readonly as?: string}> = async (context, [run = ''], {as}) =>
  await withHost(
    context,
    async (host) => {
      const {by} = await actingPerson(context, host, as);
      const request = {run_id: findRunId(host.runtime, run), by};
      const found = await resumeProgram(host, request, {signal: context.signal, on_step: narrateSteps(context)});
      return found.ok ? runOutcome(context, host, found.value, by) : programFailure(context, found.problem);
    },
    {warmSandboxes: true},
  );

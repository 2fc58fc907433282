// `lumenflow program run`: runs a program until it ends or waits for a person.
import {readProgram, runProgram} from '../../exec/index.ts';
import {readCallInput} from '../call-commands/call-input.ts';
import type {Command} from '../command.ts';
import {narrateSteps} from '../programs/narrate-steps.ts';
import {programFailure} from '../programs/program-failure.ts';
import {readProgramFile} from '../programs/read-program-file.ts';
import {runOutcome} from '../programs/run-outcome.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly input?: string;
  readonly lane?: string;
  readonly approvedAsWhole?: boolean;
  readonly as?: string;
}

export const programRun: Command<Options> = async (context, [file = '', ...fields], options) => {
  const program = await readProgramFile(context, file);
  const document = readProgram(program);
  // The program itself is checked when it is started.
  const schema = document.ok ? {type: 'object', properties: document.value.program.inputs ?? {}} : undefined;
  const inputs = await readCallInput(context, {input: options.input, fields, schema});
  const {lane, approvedAsWhole: approved_as_whole, as} = options;
  const request = {program, inputs: inputs as Record<string, unknown>, surface: 'cli' as const};
  return await withHost(
    context,
    async (host) => {
      const on = {signal: context.signal, on_step: narrateSteps(context)};
      const acting = await actingPerson(context, host, as);
      const run = await runProgram(host, {...request, ...acting, lane, approved_as_whole}, on);
      return run.ok ? runOutcome(context, host, run.value, acting.by) : programFailure(context, run.problem);
    },
    {warmSandboxes: true},
  );
};

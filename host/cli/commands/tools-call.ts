// `lumenflow tools call`: one governed call from the command line.
import {readCallInput} from '../call-commands/call-input.ts';
import type {Command} from '../command.ts';
import {runCallCommand, type WrittenCall} from '../call-commands/run-call-command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {givenActor} from '../sign-in/actor.ts';
import {withHost} from '../with-host.ts';

interface Options extends Omit<WrittenCall, 'fields'> {
  readonly as?: string;
}

export const toolsCall: Command<Options> = async (context, [tool = '', ...fields], options) => {
  // An invalid name is reported before the workspace is loaded.
  givenActor(context, options.as);
  return await withHost(context, async (host) => {
    const schema = host.runtime.workspace.tools.get(tool)?.declaration.input_schema;
    const input = await readCallInput(context, {input: options.input, fields, schema});
    const acting = await actingPerson(context, host, options.as);
    return await runCallCommand(context, host, {tool, input, ...acting, written: {...options, fields}});
  });
};

// `lumenflow login`: a person signs in at the issuer of the workspace, in any browser, and the command line then acts for that person.
import type {SignInRefusal} from '../../sign-in/create-sign-in.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {signInOf} from '../sign-in/acting-person.ts';
import {keptTokenOf} from '../sign-in/kept-token.ts';
import {withHost} from '../with-host.ts';

export const login: Command = async (context) =>
  await withHost(context, async (host) => {
    let cause: unknown;
    const service = signInOf(context, host, (error) => {
      cause = error;
    });
    // The person at the terminal is the operator: the cause helps more than the advice to ask one.
    const refused = ({code, message}: SignInRefusal): CliError =>
      new CliError(code, code === 'SIGN_IN_UNAVAILABLE' && cause instanceof Error ? cause.message : message);
    if (!service) {
      throw new CliError('SIGN_IN_UNAVAILABLE', 'workspace.yaml has no `sign_in`', {
        help: 'people need no sign-in here: commands act for you, or for the name in `--as`',
      });
    }
    const begun = await service.beginDevice();
    if (!begun.ok) throw refused(begun.problem);
    const {address, code, finish} = begun.value;
    context.announce(started(context, address, code));
    const finished = await finish(context.signal);
    if (!finished.ok) throw refused(finished.problem);
    const {token, ...person} = finished.value;
    await keptTokenOf(context.env, host.workspaceRoot).write(token);
    const {name, role, expires_at} = person;
    return {
      data: {...person},
      layout: 'line',
      note: () => `${context.errorStyle.good('✔')} signed in as ${name}, ${role}, until ${expires_at}`,
    };
  });

function started({style}: CliContext, address: string, code: string): Outcome {
  return {
    data: {address, code},
    layout: 'line',
    text: () =>
      renderFields(
        [
          ['open', style.accent(cleanText(address))],
          ['confirm', style.bold(cleanText(code))],
        ],
        style,
      ),
  };
}

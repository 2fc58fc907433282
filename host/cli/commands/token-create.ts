// `lumenflow token create`: creates a token for the HTTP API.
import type {Role} from '../../http/tokens/token-file.ts';
import {openTokenStore} from '../../http/tokens/token-store.ts';
import type {CliContext, Command} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {orTokensUnusable} from '../failures/tokens-unusable.ts';
import {peopleOfState} from '../sign-in/people-of-state.ts';
import {stateOf} from '../state/state-of.ts';

export const tokenCreate: Command<{readonly role: string}> = async (context, [name = ''], {role}) => {
  const folder = findWorkspace(context);
  await refusePerson(context, name);
  const token = await orTokensUnusable(() => openTokenStore(folder).issue({name, role: role as Role}));
  return {
    data: {name, role, token},
    text: () => token,
    note: () => context.errorStyle.dim(`the token of ${name}, ${role}: shown only once`),
  };
};

/** What a program does must not look like what a person does, and the person could no longer sign in. */
async function refusePerson(context: CliContext, name: string): Promise<void> {
  const found = await stateOf(context);
  if (!found.hasSignIn) return;
  const {names} = await peopleOfState(context, found);
  if (!names.some((person) => person.toLowerCase() === name.toLowerCase())) return;
  throw new CliError('NAME_TAKEN', `\`${name}\` is the name of a person that signs in`, {
    help: `name the token after its program, for example \`${name}-script\`; people use \`lumenflow login\``,
    exitCode: exitCode.usage,
  });
}

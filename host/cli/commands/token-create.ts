// `lumenflow token create`: creates a token for the HTTP API.
import {openTokenStore, type Role} from '../../http/index.ts';
import {CliError} from '../cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../exit-code.ts';
import {findWorkspace} from '../find-workspace.ts';
import {orTokensUnusable} from '../tokens-unusable.ts';

const roles: readonly string[] = ['agent', 'operator', 'admin'];

export const tokenCreate: Command<{readonly role: string}> = async (context, [name = ''], {role}) => {
  if (!roles.includes(role)) {
    throw new CliError('INVALID_ARGUMENT', `there is no role \`${role}\``, {
      help: `roles are ${roles.join(', ')}`,
      exitCode: exitCode.usage,
    });
  }
  const folder = findWorkspace(context);
  const token = await orTokensUnusable(() => openTokenStore(folder).issue({name, role: role as Role}));
  return {
    data: {name, role, token},
    text: () => token,
    note: () => context.errorStyle.dim(`the token of ${name}, ${role}: shown only once`),
  };
};

// `lumenflow token create`: creates a token for the HTTP API.
import {openTokenStore, type Role} from '../../http/index.ts';
import type {Command} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {orTokensUnusable} from '../failures/tokens-unusable.ts';

export const tokenCreate: Command<{readonly role: string}> = async (context, [name = ''], {role}) => {
  const folder = findWorkspace(context);
  const token = await orTokensUnusable(() => openTokenStore(folder).issue({name, role: role as Role}));
  return {
    data: {name, role, token},
    text: () => token,
    note: () => context.errorStyle.dim(`the token of ${name}, ${role}: shown only once`),
  };
};

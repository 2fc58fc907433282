// `lumenflow token revoke`: revokes a token for the HTTP API immediately.
import {openTokenStore} from '../../http/tokens/token-store.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {orTokensUnusable} from '../failures/tokens-unusable.ts';

export const tokenRevoke: Command = async (context, [name = '']) => {
  const folder = findWorkspace(context);
  if (!(await orTokensUnusable(() => openTokenStore(folder).revoke(name)))) {
    throw new CliError('TOKEN_NOT_FOUND', `there is no token \`${name}\``, {help: '`lumenflow token list` shows them'});
  }
  return {data: {name}, note: () => `${context.errorStyle.good('✔')} revoked the token of ${name}`};
};

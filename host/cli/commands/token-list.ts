// `lumenflow token list`: lists the tokens for the HTTP API.
import {openTokenStore} from '../../http/tokens/token-store.ts';
import type {Command} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import {orTokensUnusable} from '../failures/tokens-unusable.ts';

export const tokenList: Command = async (context) => {
  const folder = findWorkspace(context);
  const tokens = await orTokensUnusable(async () => openTokenStore(folder).list());
  const {style, errorStyle} = context;
  const now = Date.now();
  return {
    data: {tokens},
    text: () =>
      tokens.length === 0
        ? ''
        : renderTable(
            tokens,
            [
              {title: 'NAME', cell: ({name}) => name, shrinksTo: 16, paint: () => style.bold},
              {title: 'ROLE', cell: ({role}) => role},
              {title: 'CREATED', cell: ({created_at}) => renderTime(created_at, now)},
            ],
            style,
          ),
    note: () => (tokens.length === 0 ? errorStyle.dim('no tokens: `lumenflow serve` creates the first') : ''),
  };
};

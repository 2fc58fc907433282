// `lumenflow changes list`: lists changes that wait for approval or were kept because of a conflict.
import type {KeptChanges} from '@lumenflow/kernel';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {shortIdLength} from '../rendering/short-id-length.ts';
import type {Style} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly all?: boolean;
}

const isOver = ({state}: KeptChanges): boolean => state === 'applied' || state === 'discarded';

export const changesList: Command<Options> = async (context, _args, {all}) =>
  await withHost(context, async ({runtime}) => {
    const changes = (await runtime.changes.list()).filter((kept) => all === true || !isOver(kept));
    const {style, errorStyle} = context;
    const next = changes.length === 0 ? 'no changes wait' : 'details: lumenflow changes show RECEIPT';
    return {
      data: {changes},
      text: () => (changes.length === 0 ? '' : render(changes, style)),
      note: () => errorStyle.dim(next),
    };
  });

function render(changes: readonly KeptChanges[], style: Style): string {
  return renderTable(
    changes,
    [
      {title: 'RECEIPT', cell: ({receipt_id}) => receipt_id.slice(0, shortIdLength)},
      {title: 'STATE', cell: ({state}) => state},
      {title: 'REQUEST', cell: ({request_id = ''}) => request_id.slice(0, shortIdLength)},
      {title: 'SETTLED BY', cell: ({settled_by = ''}) => settled_by, shrinksTo: 8},
      {title: 'WHY', cell: ({reason, conflicts = []}) => reason ?? conflicts.join(', '), shrinksTo: 12},
    ],
    style,
  );
}

// `lumenflow changes show`: shows the file changes of a call as a diff, and their state.
import type {ChangesView} from '@lumenflow/kernel';
import {diffFiles, type FileDiff} from '../../changes/diff-files.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import {findReceipt} from '../lookup/find-receipt.ts';
import {cleanLine, cleanText} from '../rendering/clean-text.ts';
import {renderDiff} from '../rendering/render-diff.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {withHost} from '../with-host.ts';
import {counted} from '../../text/counted.ts';
import {pathText} from '../../changes/path-text.ts';

export const changesShow: Command = async (context, [receiptId = '']) =>
  await withHost(context, async ({runtime}) => {
    const {receipt_id} = await findReceipt(runtime, receiptId);
    const view = await runtime.changes.of(receipt_id);
    if (view === undefined) {
      throw new CliError('CHANGES_NOT_KEPT', `the call \`${receipt_id}\` has no change set`, {
        help: 'only transactional calls record what they changed',
      });
    }
    const files = view.set === undefined ? [] : await diffFiles(runtime, view.set);
    return {data: {changes: view, files}, text: () => render(context, view, files)};
  });

function render({style}: CliContext, view: ChangesView, files: readonly FileDiff[]): string {
  const {receipt_id, tool_name, state, recorded, kept, reverted_by} = view;
  const {count, bytes, digest, base, dry_run, reverts} = recorded;
  const facts = renderFields(
    [
      ['receipt', receipt_id],
      ['state', dry_run === true ? `${state}, by a dry run` : state],
      ['request', recorded.request_id],
      ['reverts', reverts],
      ['reverted by', reverted_by],
      ['settled by', kept?.settled_by],
      ['person', kept?.settled_by_person?.display_name && cleanText(kept.settled_by_person.display_name)],
      ['why', kept?.reason === undefined ? undefined : cleanText(kept.reason)],
      ['conflicts', kept?.conflicts?.map(pathText).join('\n')],
      ['changes', `${counted(count, 'path')}, ${counted(bytes, 'byte')}`],
      ['digest', `sha256:${digest}`],
      ['base', `sha256:${base}`],
    ],
    style,
  );
  return [style.bold(cleanLine(tool_name)), facts, '', renderDiff(files, style)].join('\n');
}

// `lumenflow policy observed`: counts what rules with `mode: observe` would have decided about recorded calls.
import {countObserved, type ObservedRule} from '../../policies/count-observed.ts';
import {counted} from '../../text/counted.ts';
import type {Command} from '../command.ts';
import {parsePastTime} from '../parse-time.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderTable} from '../rendering/render-table.ts';
import type {Style} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly since?: string;
  readonly until?: string;
}

export const policyObserved: Command<Options> = async (context, _args, {since, until}) =>
  await withHost(context, async ({runtime}) => {
    const rules = await countObserved(runtime, {
      ...(since !== undefined && {since: parsePastTime(since, Date.now())}),
      ...(until !== undefined && {until: parsePastTime(until, Date.now())}),
    });
    return {
      data: {rules},
      text: () => (rules.length === 0 ? '' : table(rules, context.style)),
      note: () => context.errorStyle.dim(`${counted(rules.length, 'observing rule')} matched a recorded call`),
    };
  });

function table(rules: readonly ObservedRule[], style: Style): string {
  return renderTable(
    rules,
    [
      {title: 'RULE', cell: ({rule_id}) => cleanText(rule_id)},
      {title: 'LAYER', cell: ({layer}) => layer},
      {title: 'MATCHED', cell: ({matched}) => String(matched)},
      {title: 'WOULD DENY', cell: ({would_have_denied: denied}) => String(denied)},
      {title: 'WOULD ASK', cell: ({would_have_asked: asked}) => String(asked)},
      {title: 'NEWEST CALL', cell: ({receipt_id}) => receipt_id},
    ],
    style,
  );
}

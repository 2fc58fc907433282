// `lumenflow evidence show`: all that was recorded of one call.
import type {Receipt} from '@lumenflow/kernel';
import type {HeldChanges} from '@lumenflow/schemas';
import type {CliContext, Command} from '../command.ts';
import {findReceipt} from '../find-receipt.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderDecisions} from '../rendering/render-decisions.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {grantedText} from '../rendering/granted-text.ts';
import {renderDuration} from '../rendering/render-time.ts';
import {renderValue} from '../rendering/render-value.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly log?: boolean;
}

export const evidenceShow: Command<Options> = async (context, [receiptId = ''], options) =>
  await withHost(context, async ({runtime}) => {
    const receipt = await findReceipt(runtime, receiptId);
    const read = async (ref: string | undefined): Promise<string | undefined> =>
      ref === undefined ? undefined : await runtime.evidence.readBlob(ref);
    const input = parse(await read(receipt.started.input_ref));
    const output = parse(await read(receipt.finished?.output_ref));
    const log = options.log === true ? parseLines(await read(receipt.finished?.log_ref)) : undefined;
    return {
      data: {
        receipt,
        ...(input !== undefined && {input}),
        ...(output !== undefined && {output}),
        ...(log !== undefined && {log}),
      },
      text: () => render(context, receipt, {input, output, log}),
    };
  });

/** The document that `--json` gives has more. */
const changesShown = 20;

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function parseLines(text = ''): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parse);
}

interface Contents {
  readonly input: unknown;
  readonly output: unknown;
  /** Undefined when it was not asked for. */
  readonly log: readonly unknown[] | undefined;
}

function render({style}: CliContext, receipt: Receipt, {input, output, log}: Contents): string {
  const {started, finished} = receipt;
  const part = (title: string, value: unknown): readonly string[] =>
    value === undefined ? [] : ['', style.dim(title), renderValue(value, style)];
  const decisions = finished?.policy_decisions ?? started.policy_decisions;
  return [
    style.bold(cleanText(started.tool_name)),
    renderFields([...outcomeFields(receipt, style), ...callFields(receipt)], style),
    ...(decisions.length === 0 ? [] : ['', style.dim('DECISIONS'), renderDecisions(decisions, style)]),
    ...part('INPUT', input),
    ...part('OUTPUT', output),
    ...part('LOG', log?.length === 0 ? 'the handler wrote nothing' : log),
  ].join('\n');
}

type Fields = Parameters<typeof renderFields>[0];

function outcomeFields({receipt_id, started, finished}: Receipt, style: Style): Fields {
  const receipt = ['receipt', receipt_id] as const;
  if (!finished) return [receipt, ['result', style.warning('open')], ['when', started.timestamp]];
  const {result, error_code, error_message = '', duration_ms, artifacts_written, changes} = finished;
  return [
    receipt,
    ['result', paintOf(style, result)(result)],
    ['error', error_code === undefined ? undefined : cleanText(`${error_code}: ${error_message}`)],
    ['when', started.timestamp],
    ['took', renderDuration(duration_ms)],
    ['wrote', changes === undefined ? artifacts_written?.map(cleanText).join('\n') : undefined],
    ['changes', changes && changesText(changes)],
  ];
}

/** Of a transactional call: what it changed, and whether that stands. */
function changesText({applied, count, bytes, digest, list}: HeldChanges): string {
  const lines = list.slice(0, changesShown).map(({kind, path}) => `${kind.padEnd(8)} ${cleanText(path)}`);
  const more = count > lines.length ? [`and ${count - lines.length} more`] : [];
  return [
    `${applied ? 'applied' : 'discarded'} as a whole: ${count} ${count === 1 ? 'path' : 'paths'}, ${bytes} bytes`,
    ...lines,
    ...more,
    `sha256:${digest}`,
  ].join('\n');
}

function callFields({started, finished, progress}: Receipt): Fields {
  const {pack_id, pack_version = '', pack_integrity = '', execution_mode, scope_enforced} = started;
  const enforcement = finished?.enforcement;
  return [
    ['task', started.task_id],
    ['session', started.session_id],
    ['called by', started.parent_receipt_id],
    ['approval', started.approval_request_id],
    ['pack', pack_id && `${pack_id} ${pack_version}\n${pack_integrity}`],
    ['ran', `${execution_mode}${enforcement ? `, ${enforcement.backend}, tier ${enforcement.tier}` : ''}`],
    ['granted', scope_enforced && grantedText(scope_enforced)],
    ['progress', progress.length === 0 ? undefined : `${progress.length} reports`],
    ['log', finished?.log_ref === undefined ? undefined : 'kept: --log shows it'],
    ['records', `${started.seq}${finished ? ` to ${finished.seq}` : ''}`],
  ];
}

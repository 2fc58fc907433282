// `lumenflow evidence show`: shows the records of one call.
import type {Person} from '@lumenflow/schemas';
import {refusalsOf, type Receipt} from '@lumenflow/kernel';
import type {CliContext, Command} from '../command.ts';
import {findReceipt} from '../lookup/find-receipt.ts';
import {readContent} from '../call-commands/recorded-content.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderDecisions} from '../rendering/render-decisions.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import {grantedText} from '../rendering/granted-text.ts';
import {renderDuration} from '../rendering/render-time.ts';
import {renderValue} from '../rendering/render-value.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {withEvidence} from '../with-evidence.ts';
import {counted} from '../../text/counted.ts';
import {pathText} from '../../changes/path-text.ts';
import {changesText} from '../rendering/changes-text.ts';

interface Options {
  readonly folder?: string;
  readonly log?: boolean;
}

export const evidenceShow: Command<Options> = async (context, [receiptId = ''], options) =>
  await withEvidence(context, options.folder, async (recorded) => {
    const receipt = await findReceipt(recorded, receiptId);
    const {started, finished} = receipt;
    const input = await readContent(recorded, {ref: started.input_ref, hash: started.input_hash, seq: started.seq});
    const output = await readContent(recorded, {
      ref: finished?.output_ref,
      hash: finished?.output_hash,
      seq: finished?.seq,
    });
    const log =
      options.log === true &&
      (await readContent(recorded, {ref: finished?.log_ref, hash: finished?.log_hash, seq: finished?.seq}));
    const contents = {
      input: {...input, value: parse(input.text)},
      output: {...output, value: parse(output.text)},
      ...(log && {log: {...log, value: log.gone === undefined ? parseLines(log.text) : undefined}}),
    };
    return {
      data: {receipt, ...dataOf(contents)},
      text: () => render(context, receipt, contents),
    };
  });

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function parseLines(text = ''): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parse);
}

interface Content {
  readonly value: unknown;
  /** Why recorded content is missing. */
  readonly gone?: string;
}

interface Contents {
  readonly input: Content;
  readonly output: Content;
  /** Absent unless requested. */
  readonly log?: Content & {readonly value: readonly unknown[] | undefined};
}

/** Contains each available content under its name, and under `gone` the reason for each missing content. */
function dataOf(contents: Contents): Readonly<Record<string, unknown>> {
  const entries: readonly (readonly [string, Content])[] = Object.entries(contents);
  const values = entries.flatMap(([name, {value}]) => (value === undefined ? [] : [[name, value] as const]));
  const gone = entries.flatMap(([name, content]) =>
    content.gone === undefined ? [] : [[name, content.gone] as const],
  );
  return {...Object.fromEntries(values), ...(gone.length > 0 && {gone: Object.fromEntries(gone)})};
}

function render({style}: CliContext, receipt: Receipt, {input, output, log}: Contents): string {
  const {started, finished} = receipt;
  const part = (title: string, {value, gone}: Content): readonly string[] => {
    if (gone !== undefined) return ['', style.dim(title), style.warning(wrapText(cleanText(gone), style.width))];
    return value === undefined ? [] : ['', style.dim(title), renderValue(value, style)];
  };
  const decisions = finished?.policy_decisions ?? started.policy_decisions;
  return [
    style.bold(cleanText(started.tool_name)),
    renderFields([...outcomeFields(receipt, style), ...callFields(receipt)], style),
    ...taintPart(receipt, style),
    ...(decisions.length === 0 ? [] : ['', style.dim('DECISIONS'), renderDecisions(decisions, style)]),
    ...refusedPart(receipt, style),
    ...connectionsPart(receipt, style),
    ...part('INPUT', input),
    ...part('OUTPUT', output),
    ...(log ? part('LOG', log.value?.length === 0 ? {value: 'the handler logged nothing'} : log) : []),
  ].join('\n');
}

function taintPart({started: {tainted_by = []}}: Receipt, style: Style): readonly string[] {
  const lines = tainted_by.map(({tool_name, receipt_id}) => `${cleanText(tool_name)}  ${receipt_id}`);
  return lines.length === 0 ? [] : ['', style.dim('TAINTED BY'), ...lines];
}

function refusedPart({finished}: Receipt, style: Style): readonly string[] {
  const lines = refusalsOf(finished).map(({by, what}) => `${by.padEnd(8)} ${cleanText(what)}`);
  return lines.length === 0 ? [] : ['', style.dim('REFUSED'), ...lines.map((line) => wrapText(line, style.width))];
}

function connectionsPart({finished}: Receipt, style: Style): readonly string[] {
  const connections = finished?.enforcement?.connections ?? [];
  if (connections.length === 0) return [];
  const lines = connections.map(
    ({destination, allowed, attempts, bytes_sent, bytes_received}) =>
      `${cleanText(destination)}  ${allowed ? 'allowed' : 'refused'}, ${counted(attempts, 'attempt')}, ${counted(bytes_sent, 'byte')} sent, ${bytes_received} received`,
  );
  return ['', style.dim('CONNECTIONS'), ...lines.map((line) => wrapText(line, style.width))];
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
    ['wrote', changes === undefined ? artifacts_written?.map(pathText).join('\n') : undefined],
    ['changes', changes && changesText(changes)],
  ];
}

function callFields({started, finished, progress}: Receipt): Fields {
  const {pack_id, pack_version = '', pack_integrity = '', execution_mode, scope_enforced} = started;
  const enforcement = finished?.enforcement;
  return [
    ['task', started.task_id],
    ['session', started.session_id],
    ...principalFields(started),
    ['preview of', started.preview_of],
    ['called by', started.parent_receipt_id],
    ['calls made', finished?.child_receipt_ids?.join('\n')],
    ['approval', started.approval_request_id],
    ['pack', pack_id && `${pack_id} ${pack_version}\n${pack_integrity}`],
    ['ran', `${execution_mode}${enforcement ? `, ${enforcement.backend}, tier ${enforcement.tier}` : ''}`],
    ['granted', scope_enforced && grantedText(scope_enforced)],
    ['progress', progress.length === 0 ? undefined : `${progress.length} reports`],
    ['log', finished?.log_ref === undefined ? undefined : 'use --log to show it'],
    ['records', `${started.seq}${finished ? ` to ${finished.seq}` : ''}`],
  ];
}

function principalFields({by, surface = 'api', person}: Receipt['started']): Fields {
  return [
    ['by', by === undefined ? undefined : `${by}, over ${surface}`],
    ['person', person && personText(person)],
  ];
}

function personText({display_name, subject, issuer}: Person): string {
  return `${cleanText(display_name ?? '')}\n${cleanText(subject)} of ${issuer}`.trim();
}

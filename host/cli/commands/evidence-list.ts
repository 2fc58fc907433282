// `lumenflow evidence list`: the newest recorded calls.
import type {EvidenceFilter} from '@lumenflow/kernel';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {parsePastTime} from '../parse-time.ts';
import {renderReceipts} from '../rendering/render-receipts.ts';
import {withEvidence} from '../with-evidence.ts';

interface Options {
  readonly folder?: string;
  readonly task?: string;
  readonly tool?: string;
  readonly by?: string;
  readonly result?: string;
  readonly refused?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly before?: string;
  readonly limit: string;
}

export const evidenceList: Command<Options> = async (context, _args, options) => {
  const filter = filterOf(options);
  return await withEvidence(context, options.folder, async (recorded) => {
    const {receipts, next_before_seq} = await recorded.evidence.readTraces({
      ...filter,
      refused: options.refused === true,
    });
    const {style, errorStyle} = context;
    const more = next_before_seq === undefined ? '' : `next page: --before ${next_before_seq}; `;
    return {
      data: {receipts, ...(next_before_seq !== undefined && {next_before_seq})},
      text: () => (receipts.length === 0 ? '' : renderReceipts(receipts, style)),
      note: () =>
        errorStyle.dim(receipts.length === 0 ? 'no calls' : `${more}details: lumenflow evidence show RECEIPT`),
    };
  });
};

function filterOf({task, tool, by, result, since, until, before, limit}: Options): EvidenceFilter {
  const count = countOf(limit);
  if (count === undefined) throw invalid(`\`${limit}\` is not a number of calls`, 'for example -n 50');
  const before_seq = before === undefined ? undefined : countOf(before);
  if (before !== undefined && before_seq === undefined)
    throw invalid(`\`${before}\` is not the number of a record`, 'copy the number from the end of a list');
  return {
    limit: count,
    ...(task !== undefined && {task_id: task}),
    ...(tool !== undefined && {tool_name: tool}),
    by,
    ...(result !== undefined && {result: result as NonNullable<EvidenceFilter['result']>}),
    ...(since !== undefined && {since: parsePastTime(since, Date.now())}),
    ...(until !== undefined && {until: parsePastTime(until, Date.now())}),
    ...(before_seq !== undefined && {before_seq}),
  };
}

/** A whole number from 1. */
function countOf(text: string): number | undefined {
  const count = Number(text);
  return Number.isInteger(count) && count >= 1 ? count : undefined;
}

function invalid(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}

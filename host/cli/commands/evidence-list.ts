// `lumenflow evidence list`: the newest recorded calls.
import type {EvidenceFilter} from '@lumenflow/kernel';
import {CliError} from '../cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../exit-code.ts';
import {parseTime} from '../parse-time.ts';
import {renderReceipts} from '../rendering/render-receipts.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly task?: string;
  readonly tool?: string;
  readonly result?: string;
  readonly since?: string;
  readonly limit: string;
}

const results: readonly string[] = ['success', 'failure', 'denied', 'crashed', 'open'];

export const evidenceList: Command<Options> = async (context, _args, options) => {
  const filter = filterOf(options);
  return await withHost(context, async ({runtime}) => {
    const {receipts, next_before_seq} = await runtime.evidence.readTraces(filter);
    const {style, errorStyle} = context;
    return {
      data: {receipts, ...(next_before_seq !== undefined && {next_before_seq})},
      text: () => (receipts.length === 0 ? '' : renderReceipts(receipts, style)),
      note: () =>
        errorStyle.dim(
          receipts.length === 0
            ? 'no calls'
            : `${next_before_seq === undefined ? '' : 'there are more: -n COUNT; '}one in full: lumenflow evidence show RECEIPT`,
        ),
    };
  });
};

function filterOf({task, tool, result, since, limit}: Options): EvidenceFilter {
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1) throw invalid(`\`${limit}\` is no number of calls`, 'for example -n 50');
  if (result !== undefined && !results.includes(result)) {
    throw invalid(`there is no result \`${result}\``, `results are ${results.join(', ')}`);
  }
  return {
    limit: count,
    ...(task !== undefined && {task_id: task}),
    ...(tool !== undefined && {tool_name: tool}),
    ...(result !== undefined && {result: result as NonNullable<EvidenceFilter['result']>}),
    ...(since !== undefined && {since: parseTime(since)}),
  };
}

function invalid(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}

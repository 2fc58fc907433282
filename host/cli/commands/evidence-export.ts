// `lumenflow evidence export`: exports records as JSON Lines exactly as in the log, as a stream of any length.
import {createWriteStream} from 'node:fs';
import {resolve} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {parseTime} from '../parse-time.ts';
import {withHost} from '../with-host.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly task?: string;
  readonly since?: string;
  readonly until?: string;
  readonly out?: string;
}

export const evidenceExport: Command<Options> = async (context, _args, {task, since, until, out}) => {
  if (context.json && out === undefined) {
    throw new CliError('INVALID_ARGUMENT', '--json cannot contain an export, which is JSON Lines', {
      help: 'remove --json, or name a file with --out',
      exitCode: exitCode.usage,
    });
  }
  const filter = {
    ...(task !== undefined && {task_id: task}),
    ...(since !== undefined && {since: parseTime(since)}),
    ...(until !== undefined && {until: parseTime(until)}),
  };
  return await withHost(context, async ({runtime}) => {
    let records = 0;
    const lines = async function* (): AsyncGenerator<string> {
      for await (const line of runtime.evidence.export(filter)) {
        context.signal.throwIfAborted();
        records += 1;
        yield line;
      }
    };
    if (out === undefined) await context.stream(lines());
    else await pipeline(lines, createWriteStream(resolve(context.cwd, out)));
    const {errorStyle} = context;
    const count = counted(records, 'record');
    return {
      data: {records, file: out},
      note: () => (out === undefined ? errorStyle.dim(count) : `${errorStyle.good('✔')} wrote ${count} to ${out}`),
    };
  });
};

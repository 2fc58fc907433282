// `lumenflow evidence export`: exports records as JSON Lines exactly as in the log, as a stream of any length.
import {createWriteStream} from 'node:fs';
import {resolve} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {parsePastTime} from '../parse-time.ts';
import {withEvidence} from '../with-evidence.ts';
import {exportEvidenceBundle} from './export-evidence-bundle.ts';
import {exportEvidenceTiles} from './export-evidence-tiles.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly task?: string;
  readonly since?: string;
  readonly until?: string;
  readonly out?: string;
  readonly folder?: string;
  readonly bundle?: string;
  readonly tiles?: string;
}

export const evidenceExport: Command<Options> = async (context, _args, options) => {
  const {task, since, until, out, folder} = options;
  if (options.bundle !== undefined || options.tiles !== undefined) return await exportWhole(context, options);
  if (context.json && out === undefined) {
    throw new CliError('INVALID_ARGUMENT', '--json cannot contain an export, which is JSON Lines', {
      help: 'remove --json, or name a file with --out',
      exitCode: exitCode.usage,
    });
  }
  const filter = {
    ...(task !== undefined && {task_id: task}),
    ...(since !== undefined && {since: parsePastTime(since, Date.now())}),
    ...(until !== undefined && {until: parsePastTime(until, Date.now())}),
  };
  return await withEvidence(context, folder, async ({evidence}) => {
    let records = 0;
    const lines = async function* (): AsyncGenerator<string> {
      for await (const line of evidence.export(filter)) {
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

async function exportWhole(
  context: CliContext,
  {bundle, tiles, folder, task, since, until, out}: Options,
): Promise<Outcome> {
  if (bundle !== undefined && tiles !== undefined) {
    throw new CliError('INVALID_ARGUMENT', '--bundle and --tiles write different directories', {
      help: 'run the command once for each of them',
      exitCode: exitCode.usage,
    });
  }
  if ([task, since, until, out].some((option) => option !== undefined)) {
    const what = tiles === undefined ? 'a bundle contains' : 'tiles contain';
    throw new CliError('INVALID_ARGUMENT', `${what} the whole log, because a part of it cannot be verified`, {
      help: `remove --task, --since, --until and --out, or remove ${tiles === undefined ? '--bundle' : '--tiles'}`,
      exitCode: exitCode.usage,
    });
  }
  const place = folder === undefined ? {} : {folder};
  return bundle === undefined
    ? await exportEvidenceTiles(context, {...place, tiles: tiles ?? ''})
    : await exportEvidenceBundle(context, {...place, bundle});
}

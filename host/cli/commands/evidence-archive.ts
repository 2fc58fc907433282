// `lumenflow evidence archive`: moves old parts of the evidence to the archive, and deletes contents whose time is over.
import {createSystemClock, type ArchiveReport} from '@lumenflow/kernel/node';
import {counted} from '../../text/counted.ts';
import {actorOf} from '../actor.ts';
import type {CliContext, Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {openStateOf} from '../state/open-state-of.ts';
import {stateOf, type StateOfWorkspace} from '../state/state-of.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly olderThan?: string;
  readonly dryRun?: boolean;
  readonly as?: string;
}

const dayMs = 86_400_000;
const olderThanDefault = '90d';

export const evidenceArchive: Command<Options> = async (context, _args, {olderThan, dryRun = false, as}) => {
  const place = await stateOf(context);
  const bound = olderThan ?? place.archive?.older_than ?? olderThanDefault;
  if (place.archive === undefined) throw noArchive();
  const beforeMs = Date.now() - ageMs(bound, '--older-than');
  const order = {before: new Date(beforeMs).toISOString(), by: actorOf(context, as), dryRun};
  // Only what is signed is archived.
  if (!dryRun) await withHost(context, ({runtime}) => runtime.evidence.checkpoint());
  const report = await context.spin('archiving', () => archive(context, place, order));
  // Signs the events that record the archiving.
  if (!dryRun && report.segments.length > 0) await withHost(context, ({runtime}) => runtime.evidence.checkpoint());
  const {style} = context;
  return {
    data: {...report, before: order.before, dry_run: dryRun},
    text: () => `${dryRun ? '' : `${style.good('✔')} `}${render(report, {bound, dryRun})}`,
  };
};

async function archive(
  context: CliContext,
  place: StateOfWorkspace,
  order: {readonly before: string; readonly by: string; readonly dryRun: boolean},
): Promise<ArchiveReport> {
  const state = await openStateOf(context, place);
  try {
    if (state.archive) return await state.archive({...order, at: createSystemClock().timestamp()});
    throw new CliError('INVALID_ARGUMENT', `records in ${place.settings.kind} are not archived`, {
      help: 'partition or back up the database by its own means; `retention` applies to it',
      exitCode: exitCode.usage,
    });
  } finally {
    await state.close();
  }
}

function ageMs(age: string, where: string): number {
  const days = /^(0|[1-9][0-9]{0,4})d$/u.exec(age)?.[1];
  if (days !== undefined) return Number(days) * dayMs;
  throw new CliError('INVALID_ARGUMENT', `\`${age}\` is not a valid age for ${where}`, {
    help: 'use a number of days, for example `90d`',
    exitCode: exitCode.usage,
  });
}

function noArchive(): CliError {
  return new CliError('INVALID_ARGUMENT', 'workspace.yaml names no archive', {
    help: 'add `archive: {location: file:/FOLDER}` or `archive: {location: s3://BUCKET/PREFIX}`',
    exitCode: exitCode.usage,
  });
}

function render(report: ArchiveReport, {bound, dryRun}: {readonly bound: string; readonly dryRun: boolean}): string {
  const {segments, contents, archive: location} = report;
  if (segments.length === 0 && contents.files === 0) return `nothing to archive that is older than ${bound}`;
  const lines = (log: 'events' | 'traces'): number =>
    segments.filter((each) => each.log === log).reduce((sum, each) => sum + each.last_seq - each.first_seq + 1, 0);
  const what = [
    counted(lines('traces'), 'record'),
    counted(lines('events'), 'event'),
    counted(contents.files, 'file'),
  ].join(', ');
  const bytes = segments.reduce((sum, each) => sum + each.bytes, contents.bytes);
  return `${dryRun ? 'would archive' : 'archived'} ${what} (${bytes.toLocaleString('en')} bytes) to ${cleanText(location)}`;
}

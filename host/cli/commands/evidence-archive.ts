// `lumenflow evidence archive`: moves old parts of the evidence to the archive, and deletes contents whose time is over.
import {createSystemClock, type ArchiveReport, type KernelRuntime} from '@lumenflow/kernel/node';
import {counted} from '../../text/counted.ts';
import type {CliContext, Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
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
  const before = timeBefore(bound, '--older-than');
  if (place.archive === undefined && place.retention === undefined) throw noArchive();
  // Only what is signed is archived.
  const {by, expired} = await withHost(context, async (host) => {
    const {runtime} = host;
    const acting = await actingPerson(context, host, as);
    const done = await expire(runtime, {rule: place.retention?.contents, by: acting.by, dryRun});
    if (!dryRun) await runtime.evidence.checkpoint();
    return {by: acting.by, expired: done};
  });
  const archived =
    place.archive && (await context.spin('archiving', () => archive(context, place, {before, by, dryRun})));
  // Signs the events that record the archiving.
  if (!dryRun && (archived?.segments.length ?? 0) > 0) {
    await withHost(context, ({runtime}) => runtime.evidence.checkpoint());
  }
  const {style} = context;
  return {
    data: {...(archived && {archived: {...archived, before}}), ...(expired && {expired}), dry_run: dryRun},
    text: () =>
      [...(expired ? [expiryText(expired, dryRun)] : []), ...(archived ? [render(archived, {bound, dryRun})] : [])]
        .map((line) => `${dryRun ? '' : `${style.good('✔')} `}${line}`)
        .join('\n'),
  };
};

type Expiry = Awaited<ReturnType<KernelRuntime['evidence']['expire']>>;

async function expire(
  runtime: KernelRuntime,
  {rule, by, dryRun}: {readonly rule: string | undefined; readonly by: string; readonly dryRun: boolean},
): Promise<Expiry | undefined> {
  if (rule === undefined) return undefined;
  const before = timeBefore(rule, '`retention.contents`');
  return await runtime.evidence.expire({rule: `contents: ${rule}`, before, by, dryRun});
}

function expiryText({contents, held}: Expiry, dryRun: boolean): string {
  const kept = held === 0 ? '' : `; ${counted(held, 'content')} kept by a legal hold`;
  return `${dryRun ? 'would delete' : 'deleted'} ${counted(contents, 'content')} by rule${kept}`;
}

async function archive(
  context: CliContext,
  place: StateOfWorkspace,
  order: {readonly before: string; readonly by: string; readonly dryRun: boolean},
): Promise<ArchiveReport> {
  const state = await openStateOf(context, place);
  try {
    if (state.archive) return await state.archive({...order, at: createSystemClock().timestamp()});
    throw new CliError('INVALID_ARGUMENT', `records in ${place.settings.kind} are not archived`, {
      help: 'update `@lumenflow/integration-postgres`',
      exitCode: exitCode.usage,
    });
  } finally {
    await state.close();
  }
}

/** ISO 8601. */
function timeBefore(age: string, where: string): string {
  const days = /^(0|[1-9][0-9]{0,4})d$/u.exec(age)?.[1];
  if (days !== undefined) return new Date(Date.now() - Number(days) * dayMs).toISOString();
  throw new CliError('INVALID_ARGUMENT', `\`${age}\` is not a valid age for ${where}`, {
    help: 'use a number of days, for example `90d`',
    exitCode: exitCode.usage,
  });
}

function noArchive(): CliError {
  return new CliError('INVALID_ARGUMENT', 'workspace.yaml has neither `archive` nor `retention`', {
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

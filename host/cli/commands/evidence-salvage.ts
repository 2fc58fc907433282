// `lumenflow evidence salvage`: makes damaged logs open again, and puts aside what cannot remain.
import {
  createProcessRegistry,
  createSystemClock,
  damageOf,
  lostNotesOf,
  restoreNotes,
  salvageState,
  unsignedSalvages,
  type ArchiveStore,
  type LostNotes,
  type Salvage,
} from '@lumenflow/kernel/node';
import {join, relative} from 'node:path';
import {openArchive} from '../../archive/open-archive.ts';
import {counted} from '../../text/counted.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {failureFromError, type ReportedFailure} from '../failures/failure-from-error.ts';
import {signNewest} from '../sign-newest.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {kernelFolderOf} from '../state/open-state-of.ts';
import {stateOf} from '../state/state-of.ts';
import {actorOf} from '../sign-in/actor.ts';

interface Options {
  readonly reason?: string;
  readonly as?: string;
  readonly dryRun?: boolean;
}

const names = {events: 'events', traces: 'records'} as const;

export const evidenceSalvage: Command<Options> = async (context, _args, {reason, as, dryRun = false}) => {
  const {workspaceRoot, settings, archive: archived} = await stateOf(context);
  if (settings.kind !== 'files') {
    throw new CliError('INVALID_ARGUMENT', `the state is in ${settings.kind}, and only files can be salvaged`, {
      help: 'restore a backup of the database',
      exitCode: exitCode.usage,
    });
  }
  const stateFolder = kernelFolderOf(workspaceRoot);
  const archive = archived && (await openArchive(archived, {workspaceRoot, env: context.env}));
  if (dryRun) return await describe(context, stateFolder, archive);
  if (reason === undefined) {
    throw new CliError('INVALID_ARGUMENT', 'a salvage is recorded with its reason', {
      help: 'add --reason TEXT, or look at the damage with --dry-run',
      exitCode: exitCode.usage,
    });
  }
  const restored = await restoreNotes({stateFolder, processes: createProcessRegistry(), archive});
  if (restored.length > 0) return ofNotes(context, restored, 'restored');
  const order = {by: actorOf(context, as), at: createSystemClock().timestamp(), reason};
  const salvaged = await context.spin('salvaging', () =>
    salvageState({stateFolder, processes: createProcessRegistry(), order, archive}),
  );
  if (salvaged.length === 0) return await signEarlier(context, unsignedSalvages(stateFolder));
  const unsigned = await signSalvage(context);
  const {style} = context;
  return {
    data: {
      ...(unsigned && {unsigned: unsigned.failure}),
      salvaged: salvaged.map(({id, manifest, manifestSha256}) => ({id, manifest_sha256: manifestSha256, ...manifest})),
    },
    text: () =>
      salvaged.map((each) => `${style.good('✔')} ${render(each, relative(context.cwd, stateFolder))}`).join('\n'),
    note: () => (unsigned === undefined ? '' : renderUnsigned(unsigned, context)),
  };
};

/** A salvage that was made without the key is signed by the next one that has it. */
async function signEarlier(context: CliContext, unsigned: number): Promise<Outcome> {
  if (unsigned > 0) await signNewest(context, undefined);
  const {style} = context;
  return {
    data: {salvaged: [], signed_salvages: unsigned},
    text: () =>
      unsigned === 0
        ? 'nothing to salvage: both logs are intact'
        : `${style.good('✔')} both logs are intact; ${counted(unsigned, 'earlier salvage')} signed`,
  };
}

/** Why the event of the salvage could not be signed. The next process that opens the workspace signs it. */
async function signSalvage(context: CliContext): Promise<ReportedFailure | undefined> {
  try {
    await signNewest(context, undefined);
    return undefined;
  } catch (error) {
    return failureFromError(error);
  }
}

function renderUnsigned({failure, problems}: ReportedFailure, {errorStyle: style}: CliContext): string {
  return [
    `${style.warning('●')} the salvage is recorded and not signed yet: ${cleanText(failure.message)}`,
    ...(problems.length > 0 ? [renderProblems(problems, style)] : []),
    '  next    correct this, and run the same command again, which signs it',
  ].join('\n');
}

/** Without the notes, archived lines look lost, so nothing else is reported or cut in the same run. */
function ofNotes({style}: CliContext, notes: readonly LostNotes[], state: 'lost' | 'restored'): Outcome {
  const line = ({log, first_seq, last_seq}: LostNotes): string => {
    const what = `${names[log]}: the notes of the archived lines ${first_seq} to ${last_seq}`;
    return state === 'lost'
      ? `${style.bad('✘')} ${what} are lost; a salvage would write them again from the archive, and cut nothing`
      : `${style.good('✔')} ${what} were written again from the archive; nothing was cut`;
  };
  const next = '  next    run `lumenflow evidence salvage --dry-run` again, which looks for other damage';
  const data = state === 'lost' ? {lost_notes: notes, damage: []} : {restored_notes: notes, salvaged: []};
  return {data, text: () => [...notes.map(line), ...(state === 'restored' ? [next] : [])].join('\n')};
}

function render({id, manifest}: Salvage, stateFolder: string): string {
  const {log, position, known_lines: known, damage, files} = manifest;
  const rest =
    known > position.seq ? `lines ${position.seq + 1} to ${known} are lost` : 'no complete line is known to be lost';
  return [
    `the ${names[log]} continue after line ${position.seq}; ${rest}`,
    `  damage  ${cleanText(damage)}`,
    `  aside   ${join(stateFolder, 'salvaged', id)}, ${counted(files.length, 'file')}`,
    ...(log === 'events'
      ? ['  note    open approvals are withdrawn, and what was there before counts as tainted']
      : []),
  ].join('\n');
}

async function describe(context: CliContext, stateFolder: string, archive: ArchiveStore | undefined): Promise<Outcome> {
  const lost = await lostNotesOf({stateFolder, archive});
  if (lost.length > 0) return ofNotes(context, lost, 'lost');
  const found = (await damageOf(stateFolder, archive)).map(({log, damage: {text, position, knownLines}}) => ({
    log,
    damage: text,
    kept_lines: position.seq,
    known_lines: knownLines,
  }));
  const line = ({log, damage, kept_lines: kept, known_lines: known}: (typeof found)[number]): string =>
    `${context.style.bad('✘')} ${names[log]}: ${cleanText(damage)}; a salvage would continue after line ${kept} of at least ${known}`;
  return {
    data: {damage: found},
    text: () => (found.length === 0 ? 'nothing to salvage: both logs are intact' : found.map(line).join('\n')),
  };
}

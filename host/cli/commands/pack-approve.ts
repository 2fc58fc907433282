// `lumenflow pack approve`: shows new and changed tools of a pack and records the approval.
import type {LockedPack} from '@lumenflow/schemas';
import type {PackLoad} from '../../packs/load-pack.ts';
import {lockEntry, lockedTools} from '../../packs/install/lock-packs.ts';
import {writeLock} from '../../packs/lock/packs-lock.ts';
import {changesSince, type ToolChange} from '../../packs/lock/review-tools.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {openPacks, pinIn, requestFor} from '../lookup/open-packs.ts';
import {decideWithoutHost} from '../sign-in/decide-without-host.ts';
import {renderToolChanges} from '../rendering/render-tool-changes.ts';

interface Options {
  readonly as?: string;
  readonly dryRun?: boolean;
}

export const packApprove: Command<Options> = async (context, [id = ''], {as, dryRun = false}) => {
  const {by: approved_by} = await decideWithoutHost(context, as);
  const packs = await openPacks(context);
  try {
    const pin = pinIn(packs, id);
    const [load] = await context.spin('loading the pack', () => packs.source.survey(requestFor(packs, [pin])));
    const {entry, terms} = approvable(load, load && lockEntry(pin, load, packs.lock), id);
    const changes = changesSince(packs.lock.packs.get(id), terms);
    const approved_at = new Date().toISOString();
    const isApproved = changes.length > 0 && !dryRun;
    if (isApproved) {
      const approved: LockedPack = {...entry, approved_by, approved_at, tools: lockedTools(terms)};
      await writeLock(packs.workspaceRoot, new Map([...packs.lock.packs, [id, approved]]));
    }
    const {style, errorStyle} = context;
    const version = `${id} ${entry.version}`;
    return {
      data: {id, version: entry.version, changes: changes.map(shown), approved: isApproved, approved_by, approved_at},
      text: () => renderToolChanges(changes, style),
      note: () => {
        if (changes.length === 0) return errorStyle.dim(`${version} is unchanged since its approval`);
        if (dryRun) return errorStyle.dim(`not approved: omit --dry-run to approve ${version}`);
        return `${errorStyle.good('✔')} ${approved_by} approved ${version}: commit packs.lock`;
      },
    };
  } finally {
    packs.source.close();
  }
};

/** Throws CliError LOAD_FAILED: tools of a pack that differs from its pin cannot be approved. */
function approvable(
  load: PackLoad | undefined,
  entry: LockedPack | undefined,
  id: string,
): {readonly entry: LockedPack; readonly terms: NonNullable<PackLoad['terms']>} {
  const problems = load?.problems.filter(({severity}) => severity === 'error') ?? [];
  if (load?.terms && entry && problems.length === 0) return {entry, terms: load.terms};
  throw new CliError('LOAD_FAILED', `the pack \`${id}\` cannot be loaded`, {problems});
}

function shown({tool, kind, terms, approved, found}: ToolChange): object {
  return {tool, kind, terms, ...(approved && {approved}), ...(found && {found})};
}

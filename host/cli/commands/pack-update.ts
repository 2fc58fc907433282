// `lumenflow pack update`: pins the newest version of packs, and shows what their tools declare differently.
import {describesItself} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {openPacks, pinIn, type OpenPacks} from '../lookup/open-packs.ts';
import {fetchCandidate, type Candidate} from '../pins/fetch-candidate.ts';
import {isTarball, sourceOf, type PackSourceWords, type SourceFolders} from '../pins/source-of.ts';
import {writePin} from '../pins/write-pin.ts';
import {renderNewTools} from '../rendering/render-tool-changes.ts';
import {packInstall} from './pack-install.ts';

interface Options {
  /** A version, range or tag of npm, or a ref of a repository. */
  readonly to?: string;
  readonly dryRun?: boolean;
}

export const packUpdate: Command<Options> = async (context, [id], {to, dryRun = false}) => {
  if (id === undefined && to !== undefined) {
    throw new CliError('USAGE', '--to needs the id of a pack', {
      help: 'lumenflow pack update ID --to VERSION',
      exitCode: exitCode.usage,
    });
  }
  const packs = await openPacks(context);
  try {
    const pins = id === undefined ? packs.request.pins.filter(isUpdatable) : [pinIn(packs, id)];
    const updates = await context.spin('fetching', async (say) => {
      const found: Update[] = [];
      for (const pin of pins) {
        say(`fetching ${pin.id}`);
        found.push(await updateOf(context, packs, {pin, to}));
      }
      return found;
    });
    const differing = updates.filter(({before, pin}) =>
      ['version', 'ref', 'integrity'].some((key) => before[key as 'ref'] !== pin[key as 'ref']),
    );
    if (!dryRun) for (const {pin} of differing) await writePin(packs.workspaceRoot, pin);
    const inWorkspace = {...context, workspace: packs.workspaceRoot};
    if (!dryRun) for (const {pin} of differing) await packInstall(inWorkspace, [pin.id], {update: true});
    const {style, errorStyle} = context;
    return {
      data: {updates: differing.map(({before, pin, changes}) => ({before, pin, changes})), written: !dryRun},
      text: () => differing.map((update) => renderUpdate(update, style)).join('\n\n'),
      note: () => {
        if (differing.length === 0) return errorStyle.dim('all packs are up to date');
        if (dryRun) return errorStyle.dim('nothing was written: omit --dry-run to update the pins');
        // The lock approves what a pack has when it is first installed.
        const changed = differing
          .filter(({pin, changes}) => changes.length > 0 && packs.lock.packs.has(pin.id))
          .map(({pin}) => `lumenflow pack approve ${pin.id}`);
        const wait = changed.length === 0 ? '' : `\nnew and changed tools wait for \`${changed.join('`, `')}\``;
        return `${errorStyle.good('✔')} commit workspace.yaml and packs.lock${wait}`;
      },
    };
  } finally {
    packs.source.close();
  }
};

interface Update extends Candidate {
  readonly before: PackPin;
}

async function updateOf(
  context: CliContext,
  packs: OpenPacks,
  {pin: before, to}: {readonly pin: PackPin; readonly to: string | undefined},
): Promise<Update> {
  const words = wordsFor(before, to, {cwd: context.cwd, workspaceRoot: packs.workspaceRoot});
  const {pin, changes} = await fetchCandidate(context, packs, words);
  if (pin.id === before.id) {
    const integrity = before.integrity === 'dev' ? 'dev' : pin.integrity;
    return {before, pin: {...before, ...pin, integrity}, changes};
  }
  throw new CliError('PACK_PIN_MISMATCH', `the pack is now \`${pin.id}\`, but the pin is of \`${before.id}\``, {
    help: 'remove the pin, and run `lumenflow pack add`',
  });
}

/** Where the new version comes from. Throws CliError USAGE if the source has no other versions. */
function wordsFor(pin: PackPin, to: string | undefined, folders: SourceFolders): PackSourceWords {
  const {source, path, ref, package: name} = pin;
  const words = placeOf(pin);
  if (source === 'git') return {...words, ref: to ?? ref ?? ''};
  if (source === 'npm' && path === undefined) return {...words, wanted: to ?? 'latest'};
  if (to === undefined) return words;
  if (source === 'npm') {
    const found = isTarball(to) ? sourceOf(to, folders) : undefined;
    if (found?.package === name && found?.path !== undefined) return found;
  }
  throw notAVersion(to, pin);
}

function placeOf({source, path, url, package: name}: PackPin): PackSourceWords {
  return {
    source,
    ...(path !== undefined && {path}),
    ...(url !== undefined && {url}),
    ...(name !== undefined && {package: name}),
  };
}

function notAVersion(to: string, {id, source, path = '.', package: name}: PackPin): CliError {
  const kind = {
    mcp: 'a server',
    openapi: 'a service',
    grpc: 'a service',
    npm: `the tarball \`${path}\``,
    local: `the folder \`${path}\``,
    git: 'a repository',
  };
  return new CliError('USAGE', `\`${to}\` is not a version of \`${id}\`, which is pinned from ${kind[source]}`, {
    help:
      source === 'npm'
        ? `name another tarball of ${name}: \`lumenflow pack update ${id} --to FILE.tgz\``
        : `run \`lumenflow pack update ${id}\` without --to`,
    exitCode: exitCode.usage,
  });
}

/** A pack in development has no version to update, and the tools of a server come from the server. */
function isUpdatable({source, integrity}: PackPin): boolean {
  return integrity !== 'dev' && !describesItself({source});
}

function renderUpdate({before, pin, changes}: Update, style: CliContext['style']): string {
  const at = ({version, ref}: PackPin): string => (ref === undefined ? version : `${version} (${ref})`);
  const head = `${style.bold(pin.id)}  ${at(before)} → ${at(pin)}`;
  return changes.length === 0 ? head : `${head}\n\n${renderNewTools(changes, style)}`;
}

// `lumenflow pack install`: fetches pinned packs and records the result in packs.lock.
import type {Problem} from '@lumenflow/kernel';
import type {LockedPack, PackPin} from '@lumenflow/schemas';
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {join} from 'node:path';
import {installPacks, type Installation, type InstalledPack} from '../../packs/install/install-packs.ts';
import {lockEntry} from '../../packs/install/lock-packs.ts';
import {lockFile, lockText, originOf, resolvedOf, writeLock, type ReadLock} from '../../packs/lock/packs-lock.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {openPacks, pinIn, requestFor, type OpenPacks} from '../lookup/open-packs.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderWarnings} from '../rendering/render-warnings.ts';

interface Options {
  readonly frozen?: boolean;
  readonly update?: boolean;
}

export const packInstall: Command<Options> = async (context, [id], options) => {
  if (options.frozen === true && options.update === true) {
    throw new CliError('USAGE', '--frozen and --update exclude each other', {help: 'remove one of them', exitCode: 2});
  }
  const packs = await openPacks(context);
  try {
    const pins = id === undefined ? packs.request.pins : [pinIn(packs, id)];
    const installation = await fetchPins(context, packs, {pins, options});
    return await lockPins(context, packs, {pins, installation, isFrozen: options.frozen === true});
  } finally {
    packs.source.close();
  }
};

async function fetchPins(
  context: CliContext,
  {workspaceRoot, lock, request, denyOverlays}: OpenPacks,
  {pins, options}: {readonly pins: readonly PackPin[]; readonly options: Options},
): Promise<Installation> {
  return await context.spin('reading packs.lock and the cache', async (say) =>
    installPacks(
      {
        pins,
        lock,
        isFrozen: options.frozen === true,
        isUpdate: options.update === true,
        whereOf: (pin) => request.locate(`/packs/${request.pins.indexOf(pin)}`),
        onFetch: (pin) => say(`fetching ${pin.id} (${pins.indexOf(pin) + 1} of ${pins.length}): ${originOf(pin)}`),
      },
      {
        workspaceRoot,
        cacheFolder: join(workspaceRoot, '.lumenflow', 'cache'),
        executor: createSpawnExecutor(),
        denyOverlays,
        env: context.env,
        signal: context.signal,
      },
    ),
  );
}

interface Fetched {
  readonly pins: readonly PackPin[];
  readonly installation: Installation;
  readonly isFrozen: boolean;
}

/** Loads the fetched packs and writes the lock, then reports the failures of the others. */
async function lockPins(context: CliContext, packs: OpenPacks, fetched: Fetched): Promise<Outcome> {
  const {installation, pins, isFrozen} = fetched;
  const {installed} = installation;
  const lock = withFetched(packs.lock, installed);
  const request = requestFor(
    packs,
    installed.map(({pin}) => pin),
  );
  const loads = await context.spin('checking the packs', () => packs.source.survey(request, lock));
  const problems = [...installation.problems, ...loads.flatMap((load) => load.problems)];
  const isPinned = (id: string): boolean => packs.request.pins.some((pin) => pin.id === id);
  const entries = new Map([...lock.packs].filter(([id]) => pins.length < packs.request.pins.length || isPinned(id)));
  for (const [index, {pin}] of installed.entries()) {
    const load = loads[index];
    const entry = load && lockEntry(pin, load, lock);
    if (entry) entries.set(pin.id, entry);
  }
  const isChanged = lockText(entries) !== lockText(packs.lock.packs);
  if (isChanged && isFrozen) problems.push(...frozenProblems(packs, entries));
  else if (isChanged) await writeLock(packs.workspaceRoot, entries);
  const errors = problems.filter(({severity}) => severity === 'error');
  if (errors.length > 0) throw installFailed(errors);
  return outcomeOf(context, {installed, entries, isChanged, problems});
}

function withFetched(lock: ReadLock, installed: readonly InstalledPack[]): ReadLock {
  const fetched = installed.flatMap(({pin, isFetched, resolved}) =>
    resolved !== undefined && (isFetched || resolvedOf(pin, lock) !== resolved) ? [[pin.id, resolved] as const] : [],
  );
  return {...lock, fetched: new Map(fetched)};
}

function frozenProblems({lock}: OpenPacks, entries: ReadonlyMap<string, LockedPack>): readonly Problem[] {
  const ids = [...new Set([...lock.packs.keys(), ...entries.keys()])];
  const textOf = (id: string, from: ReadonlyMap<string, LockedPack>): string =>
    lockText(new Map([...from].filter(([key]) => key === id)));
  return ids
    .filter((id) => textOf(id, lock.packs) !== textOf(id, entries))
    .map((id) => ({
      code: 'PACK_LOCK_FROZEN',
      severity: 'error',
      message: `packs.lock is not up to date with the pack \`${id}\``,
      where: lock.locate(`/packs/${id}`),
      help: 'run `lumenflow pack install` without --frozen, and commit packs.lock',
    }));
}

function installFailed(problems: readonly Problem[]): CliError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new CliError('PACK_INSTALL_FAILED', `some packs cannot be used: ${count}`, {problems});
}

interface Result {
  readonly installed: readonly InstalledPack[];
  readonly entries: ReadonlyMap<string, LockedPack>;
  readonly isChanged: boolean;
  readonly problems: readonly Problem[];
}

function outcomeOf({style, errorStyle}: CliContext, {installed, entries, isChanged, problems}: Result): Outcome {
  const packs = installed.map(({pin, isFetched, resolved}) => ({
    id: pin.id,
    version: pin.version,
    source: pin.source,
    from: originOf(pin),
    ...(resolved !== undefined && {resolved}),
    integrity: entries.get(pin.id)?.integrity,
    fetched: isFetched,
  }));
  const columns: Parameters<typeof renderTable<(typeof packs)[number]>>[1] = [
    {title: 'PACK', cell: ({id}) => id, shrinksTo: 16, paint: () => style.bold},
    {title: 'VERSION', cell: ({version}) => version},
    {title: '', cell: ({fetched}) => (fetched ? 'fetched' : 'there'), paint: () => style.good},
    {title: 'FROM', cell: ({from}) => from, shrinksTo: 16},
  ];
  return {
    data: {packs, lock_changed: isChanged, problems},
    text: () => (packs.length === 0 ? '' : renderTable(packs, columns, style)),
    note: () =>
      [
        ...(problems.length > 0 ? [renderWarnings(problems, errorStyle)] : []),
        ...memoryNotes(installed).map(errorStyle.dim),
        errorStyle.dim(isChanged ? `wrote ${lockFile}: commit it` : `${lockFile} is up to date`),
      ].join('\n'),
  };
}

/** A server that remembers something would reply wrongly and report success. */
function memoryNotes(installed: readonly InstalledPack[]): readonly string[] {
  const servers = installed.flatMap(({pin, isFetched}) =>
    pin.source === 'mcp' && (pin.lifetime ?? 'call') === 'call' && isFetched ? [pin.id] : [],
  );
  if (servers.length === 0) return [];
  return [
    `${servers.join(', ')}: each call starts the server, so that no call sees the data of another`,
    'between two calls the server loses what it has in memory, and keeps what it writes to its scopes',
    'a server that stores data in a file can need `serial: true` in its pin: its calls then run one after another',
  ];
}

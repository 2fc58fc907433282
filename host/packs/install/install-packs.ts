// Installs the files of every pin: existing files are kept, locked versions are fetched exactly, and everything else is resolved
// again. A pack that fails does not stop the others.
import {failed, ok, type Failed, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {hashFiles} from '../files/hash-pack.ts';
import {PackFileError, readPackFiles} from '../files/pack-files.ts';
import {lockedPack, originOf, resolvedOf, type LockedPacks} from '../lock/packs-lock.ts';
import {isCommit, resolvePack} from '../resolve-pack.ts';
import {
  listingDigest,
  listUpstream,
  pinFault,
  readListing,
  runtimePathsOf,
  upstreamFolder,
  writeListing,
} from '../../upstream-mcp/index.ts';
import {
  documentDigest,
  isService,
  readDocument,
  readService,
  serviceFolder,
  writeDocument,
} from '../../services/index.ts';
import {fetchGitPack} from './fetch-git-pack.ts';
import type {FetchedPack, FetchProblem, InstallContext} from './install-context.ts';
import {installNpmPack} from './install-npm-pack.ts';

export interface InstallRequest {
  readonly pins: readonly PackPin[];
  readonly lock: LockedPacks;
  /** Fetch only locked versions. */
  readonly isFrozen: boolean;
  /** Resolve locked versions again: branches and tags may have moved. */
  readonly isUpdate: boolean;
  whereOf(pin: PackPin): string;
  /** Called before a pack is fetched. */
  onFetch(pin: PackPin): void;
}

export interface InstalledPack {
  readonly pin: PackPin;
  readonly isFetched: boolean;
  readonly resolved?: string;
}

export interface Installation {
  readonly installed: readonly InstalledPack[];
  readonly problems: readonly Problem[];
}

export async function installPacks(request: InstallRequest, context: InstallContext): Promise<Installation> {
  const installed: InstalledPack[] = [];
  const problems: Problem[] = [];
  for (const pin of request.pins) {
    const done = await installPack(pin, request, context);
    if (done.ok) installed.push(done.value);
    else problems.push({severity: 'error', where: request.whereOf(pin), ...done.problem});
  }
  return {installed, problems};
}

type InstallProblem = Pick<Problem, 'code' | 'message' | 'help'>;

async function installPack(
  pin: PackPin,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstalledPack, InstallProblem>> {
  // A missing local pack is reported when it is loaded.
  if (pin.source === 'local') return ok({pin, isFetched: false});
  if (pin.source === 'mcp') return await installUpstream(pin, request, context);
  if (isService(pin)) return await installService(pin, request, context);
  const place = await placeOf(pin, request, context);
  if (place === 'elsewhere') return ok({pin, isFetched: false});
  const locked = request.isUpdate ? undefined : resolvedOf(pin, request.lock);
  const known = isCommit(pin.ref ?? '') ? pin.ref : locked;
  if (place === 'cache' && known !== undefined) return ok({pin, isFetched: false, resolved: known});
  if (known === undefined && request.isFrozen) return notLocked(pin);
  request.onFetch(pin);
  const fetched = await fetchPack(pin, known, context);
  if (!fetched.ok) return failed({...fetched.problem, message: `the pack \`${pin.id}\`: ${fetched.problem.message}`});
  const {resolved} = fetched.value;
  if (known !== undefined && known !== resolved) return otherBytes(pin, known, resolved);
  return ok({pin, isFetched: true, resolved});
}

/** The server's program is installed separately; here it is only asked for its tools. */
async function installUpstream(
  pin: PackPin,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstalledPack, InstallProblem>> {
  const folder = upstreamFolder(context.cacheFolder, pin);
  const known = request.isUpdate ? undefined : resolvedOf(pin, request.lock);
  const there = await readListing(folder);
  if (there && known === listingDigest(pin, there)) return ok({pin, isFetched: false, resolved: known});
  if (known === undefined && request.isFrozen) return notLocked(pin);
  const fault = pinFault(pin);
  if (fault !== undefined) return failed({code: 'PACK_SOURCE_REFUSED', ...fault});
  const runtimePaths = await runtimePathsOf(pin, context.workspaceRoot);
  if (!runtimePaths.ok) return failed({code: 'PACK_NOT_FOUND', ...runtimePaths.problem});
  request.onFetch(pin);
  const listing = await listUpstream({...context, pin, folder, runtimePaths: runtimePaths.value});
  if (!listing.ok) return noListing(pin, listing.problem);
  const resolved = listingDigest(pin, listing.value.listing);
  if (known !== undefined && known !== resolved) return otherBytes(pin, known, resolved);
  await writeListing(folder, listing.value.listing);
  return ok({pin, isFetched: true, resolved});
}

/** Nothing of a service is installed: its document is read, and pinned by its digest. */
async function installService(
  pin: PackPin,
  request: InstallRequest,
  context: InstallContext,
): Promise<Outcome<InstalledPack, InstallProblem>> {
  const folder = serviceFolder(context.cacheFolder, pin);
  const known = request.isUpdate ? undefined : resolvedOf(pin, request.lock);
  const there = await readDocument(folder);
  if (there !== undefined && known === documentDigest(there)) return ok({pin, isFetched: false, resolved: known});
  if (known === undefined && request.isFrozen) return notLocked(pin);
  request.onFetch(pin);
  const document = await readService(pin, context);
  if (!document.ok) return failed({code: 'PACK_FETCH_FAILED', ...document.problem});
  const resolved = documentDigest(document.value);
  if (known !== undefined && known !== resolved) return otherBytes(pin, known, resolved);
  await writeDocument(folder, document.value);
  return ok({pin, isFetched: true, resolved});
}

async function fetchPack(
  pin: PackPin,
  known: string | undefined,
  context: InstallContext,
): Promise<Outcome<FetchedPack, FetchProblem>> {
  return pin.source === 'npm'
    ? await installNpmPack(pin, context)
    : await fetchGitPack(pin, known ?? pin.ref ?? '', context);
}

/** The location of a pin's files: the fetched folder, or the folder where they are installed separately. */
async function placeOf(
  pin: PackPin,
  {lock}: InstallRequest,
  context: InstallContext,
): Promise<'cache' | 'elsewhere' | undefined> {
  const found = await resolvePack(pin, {...context, lock});
  if (!found.ok) return undefined;
  const {root, installed} = found.value;
  if (installed === undefined) return 'elsewhere';
  const fetched = lockedPack(pin, lock)?.files;
  return fetched === undefined || fetched === (await hashIn(root)) ? 'cache' : undefined;
}

async function hashIn(root: string): Promise<string | undefined> {
  try {
    return hashFiles(await readPackFiles(root));
  } catch (error) {
    if (error instanceof PackFileError) return undefined;
    throw error;
  }
}

function notLocked(pin: PackPin): Failed<InstallProblem> {
  return failed({
    code: 'PACK_LOCK_FROZEN',
    message: `packs.lock has no entry for the pack \`${pin.id}\`: ${originOf(pin)}`,
    help: `run \`lumenflow pack install ${pin.id}\` without --frozen, and commit packs.lock`,
  });
}

function noListing(pin: PackPin, reason: string): Failed<InstallProblem> {
  return failed({
    code: 'PACK_FETCH_FAILED',
    message: `the server of the pack \`${pin.id}\` does not list its tools: ${reason}`,
    help:
      pin.url === undefined
        ? 'try its `command` in the workspace; in the sandbox it sees `path` and what its tools may touch, and no network'
        : 'check the `url`, and the `headers` with their variables in the environment',
  });
}

function otherBytes(pin: PackPin, known: string, resolved: string): Failed<InstallProblem> {
  return failed({
    code: 'PACK_SOURCE_CHANGED',
    message: `the pack \`${pin.id}\` has changed: ${originOf(pin)} is ${resolved}, but packs.lock contains ${known}`,
    help: `find out why; to accept the new version, run \`lumenflow pack install ${pin.id} --update\``,
  });
}

// Finds the directory of a pin's pack. It fetches nothing; `lumenflow pack install` does that.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {createHash} from 'node:crypto';
import {access} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {
  describeUpstream,
  listingDigest,
  readListing,
  runtimePathsOf,
  upstreamFolder,
  writeUpstreamPack,
} from '../upstream-mcp/index.ts';
import {resolveService} from '../services/index.ts';
import {packageBesideHost} from './beside-host.ts';
import {resolvedOf, type LockedPacks} from './lock/packs-lock.ts';
import {packPath} from './files/pack-path.ts';

export interface PackResolver {
  readonly workspaceRoot: string;
  readonly cacheFolder: string;
  readonly lock: LockedPacks;
}

export interface Unresolved {
  readonly message: string;
  readonly help: string;
}

export interface ResolvedPack {
  /** Absolute: contains the pack's manifest.yaml. */
  readonly root: string;
  /** The cache folder that `pack install` created, if the pack is from there. */
  readonly installed?: string;
  /** Absolute: other paths that its calls load from. */
  readonly runtimePaths?: readonly string[];
  /** Of a server: its own names of its tools, in the manifest's order. */
  readonly serverTools?: readonly string[];
}

export async function resolvePack(pin: PackPin, resolver: PackResolver): Promise<Outcome<ResolvedPack, Unresolved>> {
  switch (pin.source) {
    case 'local':
      return await resolveLocal(pin, resolver);
    case 'npm':
      return await resolveNpm(pin, resolver);
    case 'git':
      return await resolveGit(pin, resolver);
    case 'mcp':
      return await resolveUpstream(pin, resolver);
    case 'openapi':
    case 'grpc':
      return await resolveOperations(pin, resolver);
    default:
      return pin.source satisfies never;
  }
}

/** The folder in which `lumenflow pack install` stores a commit of a repository. */
export function gitPackFolder(cacheFolder: string, url: string, commit: string): string {
  return join(cacheFolder, 'git', hashOf(url, commit));
}

/** The folder in which `lumenflow pack install` installs an npm package; `from` is package@version or a tarball. */
export function npmPackFolder(cacheFolder: string, name: string, from: string): string {
  return join(cacheFolder, 'npm', hashOf(name, from));
}

/** The commit of a git pin: the ref itself if it is a full id, otherwise from the lock. */
function commitOf(pin: PackPin, lock: LockedPacks): string | undefined {
  const ref = pin.ref ?? '';
  return isCommit(ref) ? ref : resolvedOf(pin, lock);
}

export function isCommit(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(ref);
}

/** Accepts only valid npm package names, never a path or an option. */
export function isPackageName(name: string): boolean {
  return /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/u.test(name);
}

async function resolveLocal(pin: PackPin, resolver: PackResolver): Promise<Outcome<ResolvedPack, Unresolved>> {
  const root = resolve(resolver.workspaceRoot, pin.path ?? '');
  if (await hasManifest(root)) return ok({root});
  return failed({
    message: `the pack \`${pin.id}\` is missing: \`${pin.path ?? ''}\` contains no manifest.yaml`,
    help: 'set `path` to the folder of the pack, relative to the workspace',
  });
}

/** A package installed for exactly this pin comes first, then the workspace's own node_modules, then first-party packs. */
async function resolveNpm(pin: PackPin, resolver: PackResolver): Promise<Outcome<ResolvedPack, Unresolved>> {
  const name = pin.package ?? '';
  if (!isPackageName(name)) {
    return failed({message: `\`${name}\` is not a valid npm package name`, help: 'write the name as in package.json'});
  }
  const installed = npmPackFolder(resolver.cacheFolder, name, pin.path ?? pin.version);
  const root = join(installed, 'node_modules', name);
  if (await hasManifest(root)) return ok({root, installed});
  for (let folder = resolver.workspaceRoot; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (await hasManifest(candidate)) return ok({root: candidate});
    if (folder === dirname(folder)) break;
  }
  const shipped = packageBesideHost(name);
  if (shipped !== undefined && (await hasManifest(shipped))) return ok({root: shipped});
  return failed({
    message: `the pack \`${pin.id}\` is not installed: no package \`${name}\` with a manifest.yaml was found`,
    help: `run \`lumenflow pack install ${pin.id}\`, or \`npm install ${name}@${pin.version}\` in the workspace`,
  });
}

async function resolveGit(pin: PackPin, resolver: PackResolver): Promise<Outcome<ResolvedPack, Unresolved>> {
  const inside = packPath(pin.path ?? '');
  if (inside === undefined) {
    return failed({
      message: `\`${pin.path ?? ''}\` leads out of the repository`,
      help: 'name a folder of the repository',
    });
  }
  const commit = commitOf(pin, resolver.lock);
  const installed = commit === undefined ? undefined : gitPackFolder(resolver.cacheFolder, pin.url ?? '', commit);
  if (installed !== undefined && (await hasManifest(join(installed, inside)))) {
    return ok({root: join(installed, inside), installed});
  }
  return failed({
    message: `the pack \`${pin.id}\` is not installed: ${pin.url ?? ''} at ${pin.ref ?? ''}`,
    help: `run \`lumenflow pack install ${pin.id}\``,
  });
}

/** A server's pack is generated from its pin and the server's description at installation. */
async function resolveUpstream(pin: PackPin, resolver: PackResolver): Promise<Outcome<ResolvedPack, Unresolved>> {
  const folder = upstreamFolder(resolver.cacheFolder, pin);
  const listing = await readListing(folder);
  const known = resolvedOf(pin, resolver.lock);
  if (!listing || (known !== undefined && known !== listingDigest(pin, listing))) {
    return failed({
      message: `the pack \`${pin.id}\` is not installed: ${pin.url ?? pin.command?.join(' ') ?? ''} has not listed its tools yet`,
      help: `run \`lumenflow pack install ${pin.id}\``,
    });
  }
  const runtimePaths = await runtimePathsOf(pin, resolver.workspaceRoot);
  if (!runtimePaths.ok) return runtimePaths;
  const described = describeUpstream(pin, listing);
  if (!described.ok) return described;
  const serverTools = described.value.definitions.map(({name}) => name);
  const root = await writeUpstreamPack(folder, pin, described.value);
  if (!root.ok) return root;
  return ok({root: root.value, runtimePaths: runtimePaths.value, serverTools});
}

async function resolveOperations(pin: PackPin, resolver: PackResolver): Promise<Outcome<ResolvedPack, Unresolved>> {
  const resolved = await resolveService(pin, {...resolver, digest: resolvedOf(pin, resolver.lock)});
  return resolved.ok ? ok({root: resolved.value.root, serverTools: resolved.value.operations}) : resolved;
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

async function hasManifest(folder: string): Promise<boolean> {
  try {
    await access(join(folder, 'manifest.yaml'));
    return true;
  } catch {
    // Missing or inaccessible: there is no pack to load here, and the caller reports that.
    return false;
  }
}

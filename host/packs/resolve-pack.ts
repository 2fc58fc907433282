// Finds the directory that a pin means. Nothing is fetched here: `lumenflow pack install` does that.
import type {PackPin} from '@lumenflow/schemas';
import {createHash} from 'node:crypto';
import {access} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';

export interface PackResolver {
  readonly workspaceRoot: string;
  readonly cacheFolder: string;
}

export interface Unresolved {
  readonly message: string;
  readonly help: string;
}

/** Gives the absolute directory that holds the pack's manifest.yaml. */
export async function resolvePack(pin: PackPin, resolver: PackResolver): Promise<string | Unresolved> {
  switch (pin.source) {
    case 'local':
      return await resolveLocal(pin, resolver);
    case 'npm':
      return await resolveNpm(pin, resolver);
    case 'git':
      return await resolveGit(pin, resolver);
    default:
      return pin.source satisfies never;
  }
}

/** Where `lumenflow pack install` puts a commit of a repository. */
export function gitPackFolder(cacheFolder: string, url: string, ref: string): string {
  return join(cacheFolder, 'git', createHash('sha256').update(`${url}\0${ref}`).digest('hex'));
}

async function resolveLocal(pin: PackPin, resolver: PackResolver): Promise<string | Unresolved> {
  const folder = resolve(resolver.workspaceRoot, pin.path ?? '');
  if (await hasManifest(folder)) return folder;
  return {
    message: `the pack \`${pin.id}\` is not there: \`${pin.path ?? ''}\` holds no manifest.yaml`,
    help: 'set `path` to the folder of the pack, relative to the workspace',
  };
}

const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/u;

async function resolveNpm(pin: PackPin, resolver: PackResolver): Promise<string | Unresolved> {
  const name = pin.package ?? '';
  if (!packageName.test(name)) {
    return {message: `\`${name}\` is no name of an npm package`, help: 'write the name as in package.json'};
  }
  for (let folder = resolver.workspaceRoot; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (await hasManifest(candidate)) return candidate;
    if (folder === dirname(folder)) break;
  }
  return {
    message: `the pack \`${pin.id}\` is not installed: no package \`${name}\` with a manifest.yaml is in reach`,
    help: `run \`npm install ${name}@${pin.version}\` in the workspace`,
  };
}

async function resolveGit(pin: PackPin, resolver: PackResolver): Promise<string | Unresolved> {
  const folder = gitPackFolder(resolver.cacheFolder, pin.url ?? '', pin.ref ?? '');
  if (await hasManifest(folder)) return folder;
  return {
    message: `the pack \`${pin.id}\` is not installed: ${pin.url ?? ''} at ${pin.ref ?? ''}`,
    help: `run \`lumenflow pack install ${pin.id}\``,
  };
}

async function hasManifest(folder: string): Promise<boolean> {
  try {
    await access(join(folder, 'manifest.yaml'));
    return true;
  } catch {
    // Absent or out of reach: either way there is no pack to load here, which the caller says.
    return false;
  }
}

// What a server said of itself and its tools when `lumenflow pack install` asked it, kept in the cache. Its digest stands
// in packs.lock, so that every machine has the same tools.
import {canonicalJson} from '@lumenflow/kernel';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import type {ToolDefinition} from './tool-definition.ts';

export interface UpstreamListing {
  readonly server: {readonly name: string; readonly version: string};
  /** In order of name. */
  readonly tools: readonly ToolDefinition[];
}

/** `sha256:<hex>` over its canonical JSON. */
export function listingDigest(listing: UpstreamListing): string {
  return `sha256:${sha256Hex(Buffer.from(canonicalJson(listing)))}`;
}

/** Where all that belongs to a server's command is kept. */
export function upstreamFolder(cacheFolder: string, {command, path}: PackPin): string {
  return join(cacheFolder, 'mcp', sha256Hex(Buffer.from(JSON.stringify([command ?? [], path ?? '']))).slice(0, 16));
}

/** Undefined when the server was not asked yet, or what lies there is damaged. */
export async function readListing(folder: string): Promise<UpstreamListing | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'listing.json'), 'utf8')) as UpstreamListing;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeListing(folder: string, listing: UpstreamListing): Promise<void> {
  await writeWhole(folder, 'listing.json', `${JSON.stringify(listing, undefined, 2)}\n`);
}

/** Beside its place and renamed, so that no reader sees half of it. */
export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, {recursive: true});
  const staging = join(folder, `.${name}.${randomBytes(6).toString('hex')}`);
  await writeFile(staging, text, {mode: 0o644});
  await rename(staging, join(folder, name));
}

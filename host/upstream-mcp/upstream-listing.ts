// The server's description of itself, its tools, prompts and resources, cached by `lumenflow pack install`. Its digest is in packs.lock, so every
// machine has the same tools.
import {canonicalJson} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {writeWhole} from '../write-whole.ts';
import type {PromptDefinition} from './prompt-definition.ts';
import type {ResourceDefinition} from './resource-definition.ts';
import type {ToolDefinition} from './tool-definition.ts';

export interface UpstreamListing {
  readonly server: {readonly name: string; readonly version: string};
  /** Sorted by name. */
  readonly tools: readonly ToolDefinition[];
  /** Sorted by name; undefined if there are none. */
  readonly prompts?: readonly PromptDefinition[];
  /** Sorted by URI, templates too; undefined if there are none. */
  readonly resources?: readonly ResourceDefinition[];
  /** Prompts and resources beyond the limits, or without a valid name. */
  readonly omitted?: number;
}

/** What a server says of its tools' behaviour, by their names. Not part of the listing, because it grants nothing. */
export type ToolHints = Readonly<
  Record<
    string,
    {readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean; readonly openWorldHint?: boolean} | undefined
  >
>;

/** `sha256:<hex>` over the canonical JSON of what the pin uses of it. */
export function listingDigest({prompts, resources}: PackPin, listing: UpstreamListing): string {
  const {prompts: offered, resources: readable, omitted, ...always} = listing;
  const used = {
    ...always,
    ...(prompts && offered && {prompts: offered}),
    ...(resources && readable && {resources: readable}),
    ...((prompts ?? resources) && omitted !== undefined && {omitted}),
  };
  return `sha256:${sha256Hex(Buffer.from(canonicalJson(used)))}`;
}

/** The folder for all files of a server's command. */
export function upstreamFolder(cacheFolder: string, {command, path, url}: PackPin): string {
  return join(
    cacheFolder,
    'mcp',
    sha256Hex(Buffer.from(JSON.stringify([command ?? [], path ?? '', ...(url === undefined ? [] : [url])]))).slice(
      0,
      16,
    ),
  );
}

/** Undefined if the server was not listed yet, or the cached file is damaged. */
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

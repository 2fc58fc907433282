// The document of a service, cached by `lumenflow pack install`. Its digest is in packs.lock, so every machine has the same tools.
import {canonicalJson} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {writeWhole} from '../write-whole.ts';

const file = 'document.json';

/** `sha256:<hex>` over its canonical JSON. */
export function documentDigest(document: unknown): string {
  return `sha256:${sha256Hex(Buffer.from(canonicalJson(document)))}`;
}

/** The document that the pin names, or the service that describes itself. */
export function documentName({document, servers}: PackPin): string {
  return document ?? servers?.[0] ?? '';
}

/** The folder for all files of a service. */
export function serviceFolder(cacheFolder: string, pin: PackPin): string {
  return join(cacheFolder, pin.source, sha256Hex(Buffer.from(documentName(pin))).slice(0, 16));
}

/** Undefined if it was not read yet, or the cached file is damaged. */
export async function readDocument(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, file), 'utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeDocument(folder: string, document: unknown): Promise<void> {
  await writeWhole(folder, file, JSON.stringify(document));
}

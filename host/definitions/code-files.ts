// The files of a pack whose code is compared with its manifest. They are the modules of all handlers. If the manifest has its tools
// generated, they are also all modules of `tools/`.
import type {PackManifest} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join, posix} from 'node:path';
import {parse} from 'yaml';
import {packPath} from '../packs/files/pack-path.ts';
import {generatedFile} from '../packs/manifest/generated-file.ts';

export interface WrittenFile {
  /** Relative to the pack. */
  readonly path: string;
  readonly text: string;
  readonly tools: PackManifest['tools'];
}

export interface CodeFiles {
  /** manifest.yaml and its tool_files, without the generated one. */
  readonly written: readonly WrittenFile[];
  readonly isGenerated: boolean;
  /** Modules by their path in the pack. */
  readonly modules: readonly string[];
}

/** Files that cannot be read are omitted: loading the pack reports them. */
export async function findCodeFiles(folder: string): Promise<CodeFiles> {
  const manifest = await readWritten(folder, 'manifest.yaml');
  const {tool_files: named = []} = (manifest?.value ?? {}) as Partial<PackManifest>;
  const others = named.map((path) => packPath(path)).filter((path) => path !== undefined && path !== generatedFile);
  const written = [manifest, ...(await Promise.all(others.map(async (path) => await readWritten(folder, path ?? ''))))];
  const files = written.flatMap((file) => (file ? [file] : []));
  const isGenerated = named.some((path) => packPath(path) === generatedFile);
  const entries = files.flatMap(({tools}) => tools.map(({handler_entry}) => moduleOf(handler_entry) ?? ''));
  const scanned = isGenerated ? await modulesBelow(folder, 'tools') : [];
  // WebAssembly modules import nothing, and contain no schemas.
  const modules = [...new Set([...entries, ...scanned])].filter(
    (path) => /\.[cm]?[jt]s$/u.test(path) && existsSync(join(folder, path)),
  );
  return {written: files, isGenerated, modules};
}

/** The file of `path#export`. */
export function moduleOf(handlerEntry: unknown): string | undefined {
  return typeof handlerEntry === 'string' ? packPath(handlerEntry.split('#', 1)[0] ?? '') : undefined;
}

async function readWritten(folder: string, path: string): Promise<(WrittenFile & {value: unknown}) | undefined> {
  try {
    const text = await readFile(join(folder, path), 'utf8');
    const value = parse(text) as {readonly tools?: unknown};
    return {path, text, value, tools: Array.isArray(value.tools) ? (value.tools as PackManifest['tools']) : []};
  } catch {
    // Missing or not YAML: loading the pack reports it.
    return undefined;
  }
}

/** Sorted, without declarations of types and tests. */
async function modulesBelow(folder: string, path: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, path), {withFileTypes: true}).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inside = posix.join(path, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : await modulesBelow(folder, inside);
      return /(?<!\.d|\.test)\.[cm]?[jt]s$/u.test(entry.name) ? [inside] : [];
    }),
  );
  return found.flat().toSorted();
}

// Caches the parsed YAML of manifests: the value of a valid text by the text's hash, with the positions that every start needs.
// Parsing a manifest of a hundred tools takes longer than the rest of a host's start.
import {parseYamlDocument, type YamlDocument, type YamlSource} from '@lumenflow/kernel/node';
import {randomBytes} from 'node:crypto';
import {mkdir, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {version} from '../../version.ts';
import {sha256} from '../files/hash-each.ts';

export interface CachedYamlSource extends YamlSource {
  /** The schema that the text is checked against: the same text can be valid for one and invalid for another. */
  readonly kind: 'manifest' | 'tools';
}

/** Depth of cached positions; deeper ones are looked up in the text. */
const placesDepth = 4;
const keptMax = 64;

interface Kept {
  readonly value: unknown;
  /** `line:column` by JSON pointer. */
  readonly places: Readonly<Record<string, string>>;
}

/** `cacheFolder` must not be writable by tools; without it the text is always parsed. */
export async function readCachedYaml(source: CachedYamlSource, cacheFolder: string | undefined): Promise<YamlDocument> {
  if (cacheFolder === undefined) return parseYamlDocument(source);
  const folder = join(cacheFolder, 'manifests');
  const name = `${sha256([version, source.kind, source.text].join('\0'))}.json`;
  const kept = await readKept(join(folder, name));
  if (kept) return fromKept(kept, source);
  const document = parseYamlDocument(source);
  if (document.problems.length === 0) await keep(folder, name, document, source.file);
  return document;
}

function fromKept({value, places}: Kept, source: YamlSource): YamlDocument {
  let parsed: YamlDocument | undefined;
  return {
    value,
    problems: [],
    locate(pointer) {
      const known = nearest(places, pointer);
      const mayBeBelow = known !== pointer && known.split('/').length > placesDepth;
      if (!mayBeBelow) return `${source.file}:${places[known] ?? ''}`;
      parsed ??= parseYamlDocument(source);
      return parsed.locate(pointer);
    },
  };
}

/** The position of the nearest existing ancestor, as a locator returns it. */
function nearest(places: Kept['places'], pointer: string): string {
  let at = pointer;
  while (at !== '' && !Object.hasOwn(places, at)) at = at.slice(0, at.lastIndexOf('/'));
  return at;
}

async function keep(folder: string, name: string, {value, locate}: YamlDocument, file: string): Promise<void> {
  const places = Object.fromEntries(
    pointersIn(value, placesDepth).map((pointer) => [pointer, locate(pointer).slice(file.length + 1)]),
  );
  const staging = join(folder, `.${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(folder, {recursive: true});
    await writeFile(staging, JSON.stringify({value, places} satisfies Kept));
    await rename(staging, join(folder, name));
    await prune(folder);
  } catch {
    // This user cannot write to the cache, so the text is parsed each time.
    await rm(staging, {force: true}).catch(() => undefined);
  }
}

function pointersIn(value: unknown, depth: number): readonly string[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [''];
  const inner = Object.entries(value).flatMap(([key, item]) => {
    const segment = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return pointersIn(item, depth - 1).map((pointer) => segment + pointer);
  });
  return ['', ...inner];
}

/** Removes the oldest entries when there are too many: each edit of a manifest adds one. */
async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= keptMax) return;
  const aged = await Promise.all(
    names.map(async (name) => ({path: join(folder, name), mtimeMs: (await stat(join(folder, name))).mtimeMs})),
  );
  const oldest = aged.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(keptMax);
  for (const {path} of oldest) await rm(path, {force: true});
}

async function readKept(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch {
    // Missing, incomplete or unreadable: parse again.
    return undefined;
  }
}

// Embeds the pack's files that a JSON Schema's `$ref`s name under `$defs`, so that the schema compiles without reading files.
import {posix} from 'node:path';
import {PackFileError, type PackFiles} from '../files/pack-files.ts';
import {packPath} from '../files/pack-path.ts';
import {dataKeywords, mapKeywords, type Schema} from './schema-keywords.ts';

const documentsMax = 100;

/** `base` is the file that contains the schema, relative to the pack. Throws PackFileError for a file that cannot be used. */
export async function embedReferences(schema: object, base: string, files: Pick<PackFiles, 'read'>): Promise<Schema> {
  const documents = new Map<string, object>();
  const open: string[] = [];
  const rewrite = (value: unknown, from: string, areKeysNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => rewrite(item, from));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (areKeysNames) return [key, rewrite(inner, from)];
        if (key === '$ref' && typeof inner === 'string') return [key, resolveReference(inner, from, open)];
        return [key, dataKeywords.has(key) ? inner : rewrite(inner, from, mapKeywords.has(key))];
      }),
    );
  };
  const whole = rewrite(schema, base) as Schema & {readonly $defs?: object};
  for (const path of open) {
    if (documents.has(path)) continue;
    if (documents.size >= documentsMax)
      throw new PackFileError(path, `is one of more than ${documentsMax} schema files`);
    documents.set(path, {...(rewrite(await readSchemaFile(files, path), path) as object), $id: uriOf(path)});
  }
  if (documents.size === 0) return whole;
  const embedded = Object.fromEntries([...documents].map(([path, document]) => [uriOf(path), document]));
  return {...whole, $defs: {...whole.$defs, ...embedded}};
}

/** Reads a JSON file of the pack that contains an object. */
export async function readSchemaFile(files: Pick<PackFiles, 'read'>, path: string): Promise<object> {
  const text = new TextDecoder().decode(await files.read(path));
  const value = parseJson(path, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new PackFileError(path, 'does not contain a JSON Schema object');
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PackFileError(path, `is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function resolveReference(reference: string, from: string, open: string[]): string {
  const [file = '', fragment] = reference.split('#', 2);
  if (file === '' || /^[a-z][a-z0-9+.-]*:/iu.test(file)) return reference;
  const path = packPath(posix.join(posix.dirname(from), file));
  if (path === undefined) throw new PackFileError(file, 'leads out of the pack');
  open.push(path);
  return fragment === undefined ? uriOf(path) : `${uriOf(path)}#${fragment}`;
}

function uriOf(path: string): string {
  return `pack:///${path.split('/').map(encodeURIComponent).join('/')}`;
}

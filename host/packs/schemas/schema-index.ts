// Resolves references within a self-contained JSON Schema: by pointer, anchor or `$id`.
import {dataKeywords, isSchemaObject, mapKeywords, type Schema} from './schema-keywords.ts';

export interface SchemaIndex {
  /** Whether it contains `$dynamicRef`, whose target depends on the evaluation path. */
  readonly isDynamic: boolean;
  /** The target of a schema's `$ref`; undefined when it is not in this document. */
  find(from: Schema, reference: string): unknown;
}

export function indexSchema(whole: Schema): SchemaIndex {
  /** By schema: the `$id` of the resource that contains it. */
  const bases = new Map<Schema, string>();
  const named = new Map<string, unknown>([['', whole]]);
  let isDynamic = false;
  const visit = (node: unknown, outer: string): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, outer);
    if (!isSchemaObject(node)) return;
    const {$id, $anchor} = node;
    const base = typeof $id === 'string' ? resolveUri($id, outer).replace(/#$/u, '') : outer;
    bases.set(node, base);
    if (typeof $id === 'string') named.set(base, node);
    if (typeof $anchor === 'string') named.set(`${base}#${$anchor}`, node);
    isDynamic ||= '$dynamicRef' in node;
    for (const [key, value] of Object.entries(node)) {
      if (mapKeywords.has(key) && isSchemaObject(value)) for (const inner of Object.values(value)) visit(inner, base);
      else if (!dataKeywords.has(key)) visit(value, base);
    }
  };
  visit(whole, '');
  return {
    isDynamic,
    find: (from, reference) => {
      const uri = resolveUri(reference, bases.get(from) ?? '');
      const [resource = '', fragment = ''] = uri.split('#', 2);
      if (fragment !== '' && !fragment.startsWith('/')) return named.get(uri);
      return pointerParts(fragment).reduce(memberOf, named.get(resource));
    },
  };
}

/** The names in a pointer like `/$defs/a~1b`, decoded. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function resolveUri(reference: string, base: string): string {
  if (reference.startsWith('#')) return base + reference;
  const from = base === '' ? undefined : base;
  return URL.canParse(reference, from) ? new URL(reference, from).href : reference;
}

/** Invalid escapes are kept as they are. */
function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return part;
  }
}

/** The member of an object or a list; undefined when there is none of that name. */
export function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Schema)[key];
}

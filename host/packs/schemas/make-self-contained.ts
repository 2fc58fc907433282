// Makes a JSON Schema self-contained: every `$ref` target moves to its own `$defs`, so that any 2020-12 validator can compile
// it. Unreferenced definitions are omitted.
import {indexSchema, pointerParts, type SchemaIndex} from './schema-index.ts';
import {dataKeywords, isSchemaObject, mapKeywords, type Schema} from './schema-keywords.ts';

/** Names and containers of a schema, which pointers into `$defs` replace. */
const droppedKeywords: ReadonlySet<string> = new Set(['$id', '$schema', '$anchor', '$defs', 'definitions']);

/**
 * `whole` contains its references' targets; references to other documents are kept. Schemas without references and `$id`s are
 * returned unchanged, and so are those with `$dynamicRef`, whose target depends on `$id`s.
 */
export function makeSelfContained(whole: Schema): Schema {
  // Most schemas have neither, and every start processes all tools.
  if (!/"\$(?:ref|id)":/u.test(JSON.stringify(whole))) return whole;
  const index = indexSchema(whole);
  if (index.isDynamic) return whole;
  const settled = settle(whole, index);
  const root = isSchemaObject(settled) ? settled : whole;
  const names = new Map<unknown, string>();
  const nameTarget = (reference: string, target: unknown): string => {
    const name = names.get(target) ?? freeName(nameOf(reference), new Set(names.values()));
    names.set(target, name);
    return `#/$defs/${name}`;
  };
  const rewriteAt = (node: Schema, key: string, value: unknown): unknown => {
    if (key === '$ref' && typeof value === 'string') {
      const found = index.find(node, value);
      if (found === undefined) return value;
      const target = settle(found, index);
      return target === root ? '#' : nameTarget(value, target);
    }
    if (mapKeywords.has(key) && isSchemaObject(value)) return mapValues(value, rewrite);
    return dataKeywords.has(key) ? value : rewrite(value);
  };
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite);
    if (!isSchemaObject(node)) return node;
    const kept = Object.entries(node).filter(([key]) => !droppedKeywords.has(key));
    return Object.fromEntries(kept.map(([key, value]) => [key, rewriteAt(node, key, value)]));
  };
  const own = rewrite(root) as Schema;
  const definitions = new Map<string, unknown>();
  // Rewriting one definition can add more, which the same loop then visits.
  for (const [target, name] of names) definitions.set(name, rewrite(target));
  return definitions.size === 0 ? own : {...own, $defs: Object.fromEntries(definitions)};
}

/** The schema itself or, if it is only a reference, the target. */
function settle(schema: unknown, index: SchemaIndex): unknown {
  const passed = new Set<unknown>();
  let settled = schema;
  while (isSchemaObject(settled) && !passed.has(settled)) {
    passed.add(settled);
    const reference = soleReference(settled);
    const next = reference === undefined ? undefined : index.find(settled, reference);
    if (next === undefined) break;
    settled = next;
  }
  return settled;
}

function soleReference(schema: Schema): string | undefined {
  const reference = schema['$ref'];
  const saysMore = Object.keys(schema).some((key) => key !== '$ref' && !droppedKeywords.has(key));
  return typeof reference === 'string' && !saysMore ? reference : undefined;
}

/** The last part of the reference: a definition's name, otherwise a file's name without extensions. */
function nameOf(reference: string): string {
  const [resource = '', fragment = ''] = reference.split('#', 2);
  const inner = pointerParts(`/${fragment}`).at(-1) ?? '';
  const file = /[^/:]*$/u.exec(resource)?.[0].replace(/\..*$/u, '') ?? '';
  return [inner, file].map((name) => name.replaceAll(/[^\w-]+/gu, '_')).find((name) => name !== '') ?? 'schema';
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  return free;
}

function mapValues(values: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

// Whether a condition on an argument can match the inputs that a tool's schema allows. In doubt, it can.
import type {ValueMatcher} from '@lumenflow/schemas';
import {isRecord} from '../is-record.ts';

type Schema = Readonly<Record<string, unknown>>;

/** `unknown`: no input has anything there. `type`: what is there is of another type than the condition asks for. */
export type ArgumentFit = 'possible' | 'unknown' | 'type';

export function argumentFit(schema: unknown, path: readonly string[], matcher: ValueMatcher): ArgumentFit {
  if (!isRecord(schema)) return schema === false ? 'unknown' : 'possible';
  let at: unknown = schema;
  for (const name of path) {
    const next = memberOf(resolved(schema, at), name);
    if (next === 'open') return 'possible';
    if (next === 'closed') return 'unknown';
    at = next.schema;
  }
  const types = typesOf(resolved(schema, at));
  return types === undefined || wantedTypes(matcher).every((wanted) => wanted.some((type) => types.has(type)))
    ? 'possible'
    : 'type';
}

function memberOf(schema: Schema | undefined, name: string): {readonly schema: unknown} | 'open' | 'closed' {
  if (schema === undefined) return 'open';
  const {properties, additionalProperties, patternProperties, items, prefixItems} = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return {schema: properties[name]};
  if (/^\d+$/u.test(name) && prefixItems === undefined && isRecord(items)) return {schema: items};
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return isClosed && typesOf(schema)?.has('array') !== true ? 'closed' : 'open';
}

/** Follows a local `$ref` without siblings. */
function resolved(root: Schema, schema: unknown): Schema | undefined {
  let at = schema;
  for (let hops = 0; isRecord(at) && hops < 32; hops += 1) {
    const {$ref} = at;
    if (typeof $ref !== 'string') return at;
    if (!$ref.startsWith('#/')) return undefined;
    const names = $ref
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    at = names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), root);
  }
  return undefined;
}

function typesOf(schema: Schema | undefined): ReadonlySet<string> | undefined {
  const said: readonly unknown[] = [schema?.['type'] ?? []].flat();
  const types = said.filter((type) => typeof type === 'string');
  if (types.length === 0) return undefined;
  return new Set(types.flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type])));
}

/** For each operator, the types that it can match. */
function wantedTypes(matcher: ValueMatcher): readonly (readonly string[])[] {
  const {equals, in: list, glob, regex, lt, lte, gt, gte} = matcher;
  return [
    ...('equals' in matcher ? [typesOfValue(equals)] : []),
    ...(list === undefined ? [] : [list.flatMap(typesOfValue)]),
    ...(glob === undefined && regex === undefined ? [] : [['string']]),
    ...([lt, lte, gt, gte].every((bound) => bound === undefined) ? [] : [['number', 'integer']]),
  ];
}

function typesOfValue(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value];
}

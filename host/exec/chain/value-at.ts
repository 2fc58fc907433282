// JSON pointers into the values of a chain's earlier steps: `/previous/items/0`, `/found/id`.
import {failed, ok, type Outcome} from '@lumenflow/kernel';

/** By `previous` and by the names that steps give with `as`. */
export type ChainValues = ReadonlyMap<string, unknown>;

/** The problem names the first part of the pointer that does not exist. */
export function valueAt(values: ChainValues, pointer: string): Outcome<unknown, string> {
  const [name = '', ...keys] = segmentsOf(pointer);
  if (!values.has(name)) return failed(`\`/${name}\` has no value, because its step did not succeed`);
  let value = values.get(name);
  for (const [index, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      return failed(`\`/${[name, ...keys.slice(0, index + 1)].join('/')}\` does not exist`);
    }
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return ok(value);
}

/** The name that the pointer starts with. */
export function nameIn(pointer: string): string {
  return segmentsOf(pointer)[0] ?? '';
}

function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

// References in the arguments of a step: `{"$from": "/previous/id"}` is replaced by an earlier value.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {valueAt, type ChainValues} from './value-at.ts';

const key = '$from';

/** Replaces every reference. The problem is that of the first one without a value. */
export function resolveReferences(args: unknown, values: ChainValues): Outcome<unknown, string> {
  const problems: string[] = [];
  const resolved = mapReferences(args, (pointer) => {
    const found = valueAt(values, pointer);
    if (!found.ok) problems.push(found.problem);
    return found.ok ? found.value : undefined;
  });
  const [first] = problems;
  return first === undefined ? ok(resolved) : failed(first);
}

/** The pointers of all references. A pointer of another type is returned as JSON, which is not a pointer. */
export function referencesIn(args: unknown): readonly string[] {
  const found: string[] = [];
  mapReferences(args, (pointer) => found.push(pointer));
  return found;
}

function mapReferences(value: unknown, replace: (pointer: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, replace));
  const names = Object.keys(value);
  const given = value as Readonly<Record<string, unknown>>;
  if (names.length === 1 && names[0] === key) {
    const pointer = given[key];
    return replace(typeof pointer === 'string' ? pointer : JSON.stringify(pointer));
  }
  const mapped = names.map((name) => [name, mapReferences(given[name], replace)] as const);
  // Most arguments have no reference, and a copy of them costs more than this.
  return mapped.every(([name, each]) => each === given[name]) ? given : Object.fromEntries(mapped);
}

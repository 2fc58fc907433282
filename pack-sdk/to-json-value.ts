// Copies a value as the JSON it will be sent and recorded as, and refuses what JSON would lose or
// change in silence. Both homes of a handler use it, so that a result does not depend on the home.

const depthMax = 1000;

export type JsonResult =
  | {readonly ok: true; readonly value: unknown}
  /** `pointer` is a JSON pointer to the offending value; `exceeded` if there is too much of something that may be valid. */
  | {readonly ok: false; readonly pointer: string; readonly message: string; readonly exceeded?: keyof JsonBounds};

/** How much a value may contain: values, containers included; names of properties; UTF-16 units of all texts and names. */
export interface JsonBounds {
  readonly values: number;
  readonly names: number;
  readonly characters: number;
}

const endless = Number.POSITIVE_INFINITY;
const unbounded: JsonBounds = {values: endless, names: endless, characters: endless};

class NotJson extends Error {
  readonly exceeded: keyof JsonBounds | undefined;

  constructor(message: string, exceeded?: keyof JsonBounds) {
    super(message);
    this.exceeded = exceeded;
  }
}

/** Where the walk is: the objects around the current value, and the keys that lead to it. */
interface Walk {
  readonly parents: Set<object>;
  readonly keys: (string | number)[];
  /** What may still come. */
  readonly left: {values: number; names: number; characters: number};
}

/**
 * Fields that are `undefined` are left out, `toJSON` is honoured (dates become strings). Refused: NaN and
 * infinities, bigint, functions, symbols, cycles, `undefined` in a list, and objects such as Map or Error
 * that JSON would empty.
 */
export function toJsonValue(value: unknown, bounds: JsonBounds = unbounded): JsonResult {
  const walk: Walk = {parents: new Set(), keys: [], left: {...bounds}};
  try {
    return {ok: true, value: copy(value, walk)};
  } catch (error) {
    // What is not NotJson comes from a getter, a proxy or a toJSON of the value.
    const message = error instanceof NotJson ? error.message : `reading it throws: ${String(error)}`;
    const exceeded = error instanceof NotJson ? error.exceeded : undefined;
    return {ok: false, pointer: walk.keys.map(pointerStep).join(''), message, ...(exceeded && {exceeded})};
  }
}

function copy(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') count('characters', value.length, walk);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'object') return copyObject(value, walk);
  if (typeof value !== 'number') throw new NotJson(`${typeof value} is not a JSON value`);
  if (!Number.isFinite(value)) throw new NotJson(`${value} is not a JSON number`);
  return value;
}

function copyObject(value: object, walk: Walk): unknown {
  if (walk.parents.has(value)) throw new NotJson('it contains itself');
  if (walk.parents.size >= depthMax) throw new NotJson(`it is nested deeper than ${depthMax} levels`);
  walk.parents.add(value);
  const copied = copyContents(value, walk);
  walk.parents.delete(value);
  return copied;
}

function copyContents(value: object, walk: Walk): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), walk);
  if (Array.isArray(value)) {
    count('values', value.length, walk);
    return Array.from(value, (item, index) => copyAt(index, item, walk));
  }
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new NotJson(`${kind.slice(8, -1)} is not a JSON value`);
  const copied: Record<string, unknown> = {};
  const entries = Object.entries(value);
  count('names', entries.length, walk);
  count('values', entries.length, walk);
  for (const [key, item] of entries) {
    count('characters', key.length, walk);
    if (item !== undefined) setField(copied, key, copyAt(key, item, walk));
  }
  return copied;
}

/** Before anything is made of them. */
function count(kind: keyof JsonBounds, added: number, {left}: Walk): void {
  left[kind] -= added;
  if (left[kind] < 0) throw new NotJson(`it brings the whole to too many ${kind}`, kind);
}

function copyAt(key: string | number, item: unknown, walk: Walk): unknown {
  walk.keys.push(key);
  const copied = copy(item, walk);
  walk.keys.pop();
  return copied;
}

/** Defined rather than assigned where assigning would set the prototype. */
function setField(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {value, enumerable: true, configurable: true, writable: true});
  } else {
    target[key] = value;
  }
}

function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

// Copies a value as the JSON it will be sent and recorded as, and refuses what JSON would lose or
// change in silence. Both homes of a handler use it, so that a result does not depend on the home.

const depthMax = 1000;

export type JsonResult =
  | {readonly ok: true; readonly value: unknown}
  /** `pointer` is a JSON pointer to the offending value. */
  | {readonly ok: false; readonly pointer: string; readonly message: string};

class NotJson extends Error {}

/** Where the walk is: the objects around the current value, and the keys that lead to it. */
interface Walk {
  readonly parents: Set<object>;
  readonly keys: (string | number)[];
}

/**
 * Fields that are `undefined` are left out, `toJSON` is honoured (dates become strings). Refused: NaN and
 * infinities, bigint, functions, symbols, cycles, `undefined` in a list, and objects such as Map or Error
 * that JSON would empty.
 */
export function toJsonValue(value: unknown): JsonResult {
  const walk: Walk = {parents: new Set(), keys: []};
  try {
    return {ok: true, value: copy(value, walk)};
  } catch (error) {
    // What is not NotJson comes from a getter, a proxy or a toJSON of the value.
    const message = error instanceof NotJson ? error.message : `reading it throws: ${String(error)}`;
    return {ok: false, pointer: walk.keys.map(pointerStep).join(''), message};
  }
}

function copy(value: unknown, walk: Walk): unknown {
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
  if (Array.isArray(value)) return Array.from(value, (item, index) => copyAt(index, item, walk));
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw new NotJson(`${kind.slice(8, -1)} is not a JSON value`);
  const copied: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setField(copied, key, copyAt(key, item, walk));
  }
  return copied;
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

// Canonical JSON by RFC 8785: one text for one value, so that its SHA-256 is the value's identity.
// A value that is not JSON is rejected, never dropped or changed, because the text is evidence.
import {KernelError} from '../errors.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {shownPointer} from './shown-pointer.ts';

/** Deeper values are refused; the recursion stays far from the end of the stack. */
const depthMax = 512;
/** Longer texts (UTF-16 units) are refused: shared references could otherwise multiply without end. */
const lengthMax = 128 * 1024 * 1024;

const loneSurrogate = /\p{Surrogate}/u;
/** What may need an escape in a JSON string; most texts have none of it, and their check is cheaper than `JSON.stringify`. */
const perhapsEscaped = /[^ !#-[\]-~]/;

/** Where the walk is. */
interface Walk {
  /** How many containers the value in hand is inside of. */
  depth: number;
  /** By depth, the keys down to the value in hand, and the containers it is inside of; deeper ones are left over from before. */
  readonly path: (string | number)[];
  readonly inside: object[];
  /** What may still come. */
  values: number;
  names: number;
  characters: number;
  readonly bounds: Required<CanonicalBounds>;
}

/** How much a value from outside may contain. */
export interface CanonicalBounds {
  /** Containers included. */
  readonly values: number;
  /** Of properties. */
  readonly names: number;
  /** UTF-16 units of all texts and names. */
  readonly characters?: number;
}

const endless = Number.POSITIVE_INFINITY;
const unbounded: CanonicalBounds = {values: endless, names: endless};

/** Why a value cannot be written as canonical JSON without losing or changing something. */
export interface NotCanonical {
  /** JSON pointer to what is not JSON, or to the value that exceeds a bound; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
  /** Of what it contains more than allowed; each of them may be valid. */
  readonly tooMany?: keyof CanonicalBounds;
}

/** The RFC 8785 text of a value. Throws KernelError BROKEN_INVARIANT if the value is not JSON. */
export function canonicalJson(value: unknown): string {
  const written = tryCanonicalJson(value);
  if (written.ok) return written.value;
  throw new KernelError('BROKEN_INVARIANT', written.problem.message);
}

/** For a value from outside, which may not be JSON. */
export function tryCanonicalJson(value: unknown, limits: CanonicalBounds = unbounded): Outcome<string, NotCanonical> {
  const bounds = {characters: endless, ...limits};
  const {values, names, characters} = bounds;
  const walk: Walk = {depth: 0, path: [], inside: [], values, names, characters, bounds};
  try {
    return ok(textOf(value, walk));
  } catch (error) {
    // Anything else comes from a getter or a proxy of the caller's.
    return failed((error instanceof NotCanonicalError ? error : refused('cannot be read', walk)).problem);
  }
}

/** Ends the recursion from any depth. It never leaves this file. */
class NotCanonicalError extends Error {
  readonly problem: NotCanonical;

  constructor(problem: NotCanonical) {
    super(problem.message);
    this.problem = problem;
  }
}

function textOf(value: unknown, walk: Walk): string {
  if (typeof value === 'string') return textOfString(value, walk);
  if (typeof value === 'number') return textOfNumber(value, walk);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (typeof value === 'object') return textOfContainer(value, walk);
  throw refused(value === undefined ? 'is undefined' : `is a ${typeof value}`, walk);
}

/** As ECMAScript writes numbers, which RFC 8785 adopts; the two zeros are one number. */
function textOfNumber(value: number, walk: Walk): string {
  if (!Number.isFinite(value)) throw refused(`is ${value}`, walk);
  return value === 0 ? '0' : String(value);
}

function textOfString(value: string, walk: Walk): string {
  walk.characters -= value.length;
  if (walk.characters < 0) throw tooMany('characters', walk);
  if (!perhapsEscaped.test(value)) return `"${value}"`;
  const text = JSON.stringify(value);
  // A lone surrogate is written as an escape; looking for one is far cheaper than the test that is sure.
  if (text.includes('\\ud') && loneSurrogate.test(value)) throw refused('has a surrogate without its pair', walk);
  return text;
}

function textOfContainer(value: object, walk: Walk): string {
  const {inside, depth} = walk;
  for (let outer = 0; outer < depth; outer += 1) if (inside[outer] === value) throw refused('contains itself', walk);
  if (depth >= depthMax) throw refused(`nests deeper than ${depthMax} levels`, walk);
  inside[depth] = value;
  const text = Array.isArray(value) ? textOfArray(value, walk) : textOfObject(value as Record<string, unknown>, walk);
  if (text.length > lengthMax) throw refused(`is longer than ${lengthMax} characters`, walk);
  return text;
}

function textOfArray(array: readonly unknown[], walk: Walk): string {
  // Bounds are checked before anything is made of the values.
  walk.values -= array.length;
  if (walk.values < 0) throw tooMany('values', walk);
  if (Reflect.ownKeys(array).length !== array.length + 1)
    throw refused('is an array with holes or named properties', walk);
  const at = walk.depth;
  walk.depth += 1;
  let text = '[';
  for (let index = 0; index < array.length; index += 1) {
    walk.path[at] = index;
    text += (index === 0 ? '' : ',') + textOf(array[index], walk);
  }
  walk.depth = at;
  return `${text}]`;
}

function textOfObject(object: Record<string, unknown>, walk: Walk): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw refused('is not a plain object', walk);
  const keys = Object.keys(object);
  walk.names -= keys.length;
  if (walk.names < 0) throw tooMany('names', walk);
  walk.values -= keys.length;
  if (walk.values < 0) throw tooMany('values', walk);
  if (Reflect.ownKeys(object).length !== keys.length) throw refused('has hidden or symbol properties', walk);
  const at = walk.depth;
  walk.depth += 1;
  let text = '{';
  for (const key of inOrder(keys)) {
    walk.path[at] = key;
    const name = textOfString(key, walk);
    text += `${text.length === 1 ? '' : ','}${name}:${textOf(object[key], walk)}`;
  }
  walk.depth = at;
  return `${text}}`;
}

/** By UTF-16 code units, as RFC 8785 orders them; most objects are small and many are in order already. */
function inOrder(keys: string[]): readonly string[] {
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.toSorted();
  }
  return keys;
}

function tooMany(kind: keyof CanonicalBounds, walk: Walk): NotCanonicalError {
  return refused(`brings the whole to more than ${walk.bounds[kind]} ${kind}`, walk, kind);
}

function refused(reason: string, {path, depth}: Walk, kind?: keyof CanonicalBounds): NotCanonicalError {
  const keys = path.slice(0, depth);
  const pointer = keys.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const message = pointer === '' ? `the value ${reason}` : `the value at \`${shownPointer(pointer)}\` ${reason}`;
  return new NotCanonicalError({pointer, message, ...(kind && {tooMany: kind})});
}

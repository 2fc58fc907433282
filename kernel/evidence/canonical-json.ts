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

/** Where the walk is: the keys down to the value in hand, and the containers it is inside of. */
interface Walk {
  readonly path: (string | number)[];
  readonly inside: object[];
  /** What may still come. */
  readonly left: {values: number; names: number; characters: number};
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

/** The same for a value from outside. */
export function tryCanonicalJson(value: unknown, limits: CanonicalBounds = unbounded): Outcome<string, NotCanonical> {
  const bounds = {characters: endless, ...limits};
  const walk: Walk = {path: [], inside: [], left: {...bounds}, bounds};
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
  count('characters', value.length, walk);
  const text = JSON.stringify(value);
  // A lone surrogate is written as an escape; looking for one is far cheaper than the test that is sure.
  if (text.includes('\\ud') && loneSurrogate.test(value)) throw refused('has a surrogate without its pair', walk);
  return text;
}

function textOfContainer(value: object, walk: Walk): string {
  const {path, inside} = walk;
  if (inside.includes(value)) throw refused('contains itself', walk);
  if (path.length >= depthMax) throw refused(`nests deeper than ${depthMax} levels`, walk);
  inside.push(value);
  const text = Array.isArray(value) ? textOfArray(value, walk) : textOfObject(value as Record<string, unknown>, walk);
  inside.pop();
  if (text.length > lengthMax) throw refused(`is longer than ${lengthMax} characters`, walk);
  return text;
}

/** Before anything is made of a text or of a container's values. */
function count(kind: keyof CanonicalBounds, added: number, walk: Walk): void {
  const {left, bounds} = walk;
  left[kind] -= added;
  if (left[kind] < 0) throw refused(`brings the whole to more than ${bounds[kind]} ${kind}`, walk, kind);
}

function textOfArray(array: readonly unknown[], walk: Walk): string {
  count('values', array.length, walk);
  if (Reflect.ownKeys(array).length !== array.length + 1)
    throw refused('is an array with holes or named properties', walk);
  const {path} = walk;
  let text = '[';
  for (let index = 0; index < array.length; index += 1) {
    path.push(index);
    text += (index === 0 ? '' : ',') + textOf(array[index], walk);
    path.pop();
  }
  return `${text}]`;
}

function textOfObject(object: Record<string, unknown>, walk: Walk): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw refused('is not a plain object', walk);
  const keys = Object.keys(object);
  count('names', keys.length, walk);
  count('values', keys.length, walk);
  if (Reflect.ownKeys(object).length !== keys.length) throw refused('has hidden or symbol properties', walk);
  const {path} = walk;
  let text = '{';
  for (const key of inOrder(keys)) {
    path.push(key);
    text += `${text.length === 1 ? '' : ','}${textOfString(key, walk)}:${textOf(object[key], walk)}`;
    path.pop();
  }
  return `${text}}`;
}

/** By UTF-16 code units, as RFC 8785 orders them; most objects are small and many are in order already. */
function inOrder(keys: string[]): readonly string[] {
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.toSorted();
  }
  return keys;
}

function refused(reason: string, {path}: Pick<Walk, 'path'>, tooMany?: keyof CanonicalBounds): NotCanonicalError {
  const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const message = pointer === '' ? `the value ${reason}` : `the value at \`${shownPointer(pointer)}\` ${reason}`;
  return new NotCanonicalError({pointer, message, ...(tooMany && {tooMany})});
}

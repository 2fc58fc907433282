// Values of JSON as CEL computes with them, and back. CEL distinguishes integers, which are BigInt, from doubles.
import {Optional} from '@marcbachmann/cel-js';

export function toCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, toCel(item)] as const);
  // The library derives the type of an object from its `constructor`, which a value may have as a key.
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries);
}

/** Throws Error for a value that JSON cannot express. */
export function fromCel(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return fromInteger(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(fromCel);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Optional) return value.hasValue() ? fromCel(value.value()) : null;
  if (value instanceof Map) return fromEntries(value);
  if (typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)) {
    return fromEntries(Object.entries(value));
  }
  throw new Error('its value is not text, number, bool, null, list or map');
}

function fromInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`its value ${value} is not exact in JSON`);
  return number;
}

function fromEntries(entries: Iterable<readonly [unknown, unknown]>): object {
  return Object.fromEntries(Array.from(entries, ([key, item]) => [String(key), fromCel(item)]));
}

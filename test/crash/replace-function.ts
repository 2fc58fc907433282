// Puts a function of our own in the place of one of `node:fs`.
import fs from 'node:fs';

type AnyFunction = (...args: never[]) => unknown;

/** Importers see it once `syncBuiltinESMExports` was called. */
export function replaceFunction<K extends keyof typeof fs>(
  name: K,
  make: (original: (typeof fs)[K]) => AnyFunction,
): void {
  Object.assign(fs, {[name]: make(fs[name])});
}

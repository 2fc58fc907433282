// A call's input as all later stages see it: a JSON copy with canonical paths.
import {canonicalJson, isNotCanonicalError} from '../evidence/index.ts';
import {inputValuesMax} from '../limits.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {canonicalPaths, type NamedPath} from '../paths/canonical-paths.ts';

export interface ReadInput {
  readonly value: unknown;
  /** The value as canonical JSON. */
  readonly text: string;
  /** The paths that it names; absent when the tool declares none. */
  readonly paths?: readonly NamedPath[];
}

export interface UnreadableInput {
  /** Default INVALID_INPUT. */
  readonly code?: 'LIMIT_EXCEEDED';
  readonly message: string;
  readonly details: Record<string, unknown>;
  /** The input as it was given, if it is JSON. */
  readonly text?: string;
}

export function readInput(
  {name, paths: declared}: Pick<RegisteredTool, 'name' | 'paths'>,
  input: unknown,
): ReadInput | UnreadableInput {
  let text: string;
  try {
    text = canonicalJson(input, inputValuesMax);
  } catch (error) {
    if (!isNotCanonicalError(error)) throw error;
    const {pointer, isTooMany} = error;
    if (isTooMany) {
      const message = `the input contains more than ${inputValuesMax} values: pass them in a file, or in several calls`;
      return {code: 'LIMIT_EXCEEDED', message, details: {limit: 'input_values', bound: inputValuesMax, pointer}};
    }
    return {message: `the input cannot be kept as JSON without loss: ${error.message}`, details: {pointer}};
  }
  const value: unknown = JSON.parse(text);
  if (declared === undefined) return {value, text};
  const read = canonicalPaths(declared.root, value);
  if (!('faults' in read)) {
    return {value: read.value, paths: read.paths, text: read.isChanged ? canonicalJson(read.value) : text};
  }
  const [first] = read.faults;
  const more = read.faults.length > 1 ? ` (and ${read.faults.length - 1} more)` : '';
  const message = `the input of \`${name}\` does not fit: ${first?.pointer ?? ''} ${first?.message ?? ''}${more}`;
  return {message, details: {pointer: first?.pointer, issues: read.faults.slice(0, issuesMax)}, text};
}

/** As many as validation lists. */
const issuesMax = 20;

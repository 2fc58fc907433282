// CEL as programs use it: its standard functions, values of JSON, and a few functions more. It has no loops, no recursion and no clock,
// so an expression always ends, and has the same value when a program is resumed.
import {Environment} from '@marcbachmann/cel-js';
import {fromCel, toCel} from './cel-values.ts';

/** `unlistedVariablesAreDyn`: whether names that are not registered are permitted. */
export function createCelEnvironment(unlistedVariablesAreDyn: boolean): Environment {
  return new Environment({
    unlistedVariablesAreDyn,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: {maxAstNodes: 1_000, maxDepth: 50},
  })
    .registerFunction('json(dyn): string', (value: unknown) => JSON.stringify(fromCel(value)))
    .registerFunction('parse_json(string): dyn', (text: string) => toCel(JSON.parse(text)))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction('list.flatten(): list', (lists: readonly unknown[]) => lists.flat());
}

// Rules that look at the same value of a request, by what they need it to be.
import type {CompiledRule} from './compiled-layer.ts';
import type {PolicyRequest} from './policy-request.ts';
import type {RequiredValue} from './required-value.ts';

export interface ValueIndex {
  add(rule: CompiledRule, required: Pick<RequiredValue, 'values' | 'prefixes'>): void;
  /** Those that may match, each once. */
  find(request: PolicyRequest): readonly CompiledRule[];
}

export function createValueIndex({read, isList}: Pick<RequiredValue, 'read' | 'isList'>): ValueIndex {
  const all = new Set<CompiledRule>();
  const byValue = new Map<unknown, CompiledRule[]>();
  /** By length, then by text: of a value as many beginnings are looked up as prefixes have lengths. */
  const byPrefix = new Map<number, Map<unknown, CompiledRule[]>>();

  const addRulesOf = (value: unknown, found: Set<CompiledRule>): void => {
    for (const rule of byValue.get(value) ?? []) found.add(rule);
    if (typeof value !== 'string') return;
    for (const [length, texts] of byPrefix) {
      for (const rule of texts.get(value.slice(0, length)) ?? []) found.add(rule);
    }
  };

  return {
    add(rule, {values, prefixes}) {
      all.add(rule);
      for (const value of values) put(byValue, value, rule);
      for (const prefix of prefixes) {
        const sameLength = byPrefix.get(prefix.length) ?? new Map<unknown, CompiledRule[]>();
        byPrefix.set(prefix.length, sameLength);
        put(sameLength, prefix, rule);
      }
    },
    find(request) {
      let value: unknown;
      try {
        value = read(request);
      } catch {
        // An object of the caller's that cannot be read: each rule is asked, finds the same and counts as deny.
        return [...all];
      }
      if (isList === true && !Array.isArray(value)) return [...all];
      const found = new Set<CompiledRule>();
      if (isList === true && Array.isArray(value)) for (const one of value) addRulesOf(one, found);
      else addRulesOf(value, found);
      return [...found];
    },
  };
}

function put(index: Map<unknown, CompiledRule[]>, key: unknown, rule: CompiledRule): void {
  const rules = index.get(key);
  if (rules) rules.push(rule);
  else index.set(key, [rule]);
}

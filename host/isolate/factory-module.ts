// The module that bundles a pack's factories behind one text interface, which is the same in an isolate and in the host's own
// process.

/** The file of the bundled module, beside a pack's other outputs. */
export const factoryModuleName = 'factories.mjs';

/** What the bundled module exports. */
export interface FactoryModule {
  /** Accepts the config as JSON; returns the factories' results as JSON, with functions replaced by `has_when`. */
  make(configJson: string): string;
  /** Evaluates the `when` of the rule of this index; accepts the context as JSON. */
  ask(index: number, contextJson: string): unknown;
}

export type FactoryName = 'policy_factory' | 'capability_factory';

export interface FactoryImport {
  readonly as: FactoryName;
  readonly exportName: string;
  /** Relative to the pack, with `/`. */
  readonly file: string;
}

/** Source text; its first lines are the imports, in order. */
export function factoryModuleSource(imports: readonly FactoryImport[]): string {
  const given = new Set(imports.map(({as}) => as));
  const makeRules = `
  const made = policy_factory({config: JSON.parse(configJson)});
  if (!Array.isArray(made)) results.rules = null;
  else {
    whens = made.map((rule) => rule?.when);
    results.rules = made.map((rule) => {
      if (typeof rule !== 'object' || rule === null) return rule;
      const {when, ...data} = rule;
      return {...data, has_when: when === undefined ? false : typeof when === 'function' || 'no function'};
    });
  }`;
  const makeCapabilities = `
  results.capabilities = capability_factory({config: JSON.parse(configJson)}) ?? null;`;
  return [
    ...imports.map(({as, exportName, file}) => `import {${exportName} as ${as}} from ${JSON.stringify(`./${file}`)};`),
    'let whens = [];',
    'export function make(configJson) {',
    '  const results = {};',
    given.has('policy_factory') ? makeRules : '',
    given.has('capability_factory') ? makeCapabilities : '',
    `  return JSON.stringify(results, (_, value) => (typeof value === 'function' ? 'a function' : value));`,
    '}',
    'export function ask(index, contextJson) {',
    '  return whens[index](JSON.parse(contextJson));',
    '}',
  ].join('\n');
}

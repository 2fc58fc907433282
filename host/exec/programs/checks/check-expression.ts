// Checks one expression: its syntax, its names, its types as far as they follow, and the members of known values.
import {nearestName} from '@lumenflow/kernel';
import type {TypeCheckResult} from '@marcbachmann/cel-js';
import {createCelEnvironment} from '../expressions/cel-environment.ts';
import {expressionFault} from '../expressions/expression-fault.ts';
import type {JsonSchema} from './json-schema.ts';
import {memberSchemas, type NameSchemas} from './member-schemas.ts';

export interface CheckedExpression {
  readonly faults: readonly {readonly message: string; readonly offset: number}[];
  /** Types of JSON that its value can have; none if that does not follow. */
  readonly types: readonly string[];
  readonly schema?: JsonSchema | undefined;
}

/** In JSON, each type of CEL. */
const jsonTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  int: ['integer', 'number'],
  uint: ['integer', 'number'],
  double: ['number', 'integer'],
  bool: ['boolean'],
  null: ['null'],
  list: ['array'],
  map: ['object'],
};

const empty = createCelEnvironment(false);

export function checkExpression(source: string, names: NameSchemas): CheckedExpression {
  const environment = empty.clone();
  for (const name of names.keys()) environment.registerVariable(name, 'dyn');
  try {
    const parsed = environment.parse(source);
    const checked = parsed.check();
    if (!checked.valid) return {faults: [faultOf(checked, source, names)], types: []};
    const faults: {message: string; offset: number}[] = [];
    const schema = memberSchemas(parsed.ast, names, (message, offset) => faults.push({message, offset}));
    return {faults, types: jsonTypes[checked.type?.replace(/<.*$/u, '') ?? ''] ?? [], schema};
  } catch (error) {
    const {message, offset = 0} = expressionFault(error, source);
    return {faults: [{message, offset}], types: []};
  }
}

function faultOf({error}: TypeCheckResult, source: string, names: NameSchemas): {message: string; offset: number} {
  const {message, offset = 0} = expressionFault(error, source);
  const [, unknown] = /^Unknown variable: (\w+)$/u.exec(message) ?? [];
  if (unknown === undefined) return {message, offset};
  const nearest = nearestName(unknown, names.keys());
  const known = [...names.keys()].map((name) => `\`${name}\``).join(', ');
  const help = nearest === undefined ? `the names here are ${known}` : `did you mean \`${nearest}\`?`;
  return {message: `\`${unknown}\` is not defined here: ${help}`, offset};
}

// Checks one expression: its syntax, its names, its types as far as they follow, and the members of known values.
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

/** Names are checked with the members below, because registering all of them for each expression would take long. */
const environment = createCelEnvironment(true);

export function checkExpression(source: string, names: NameSchemas): CheckedExpression {
  try {
    const parsed = environment.parse(source);
    const faults: {message: string; offset: number}[] = [];
    const schema = memberSchemas(parsed.ast, names, (message, offset) => faults.push({message, offset}));
    const {valid, type = '', error} = parsed.check();
    if (!valid && faults.length === 0) faults.push(faultOf(error, source));
    return {faults, types: jsonTypes[type.replace(/<.*$/u, '')] ?? [], schema};
  } catch (error) {
    return {faults: [faultOf(error, source)], types: []};
  }
}

function faultOf(error: unknown, source: string): {message: string; offset: number} {
  const {message, offset = 0} = expressionFault(error, source);
  return {message, offset};
}

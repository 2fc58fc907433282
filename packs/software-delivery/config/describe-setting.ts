// Describes a setting from config.schema.json.
import schema from '../config.schema.json' with {type: 'json'};
import {valueAt} from './pointer.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface Setting {
  readonly description?: string;
  /** Valid keys; absent if there are none, or if any key is valid. */
  readonly keys?: readonly string[];
}

/** Undefined for a pointer that no config can have. */
export function describeSetting(keys: readonly string[]): Setting | undefined {
  let found: Schema = schema;
  for (const key of keys) {
    const next: Schema | undefined = alternatives(found)
      .map((each) => step(each, key))
      .find((each) => each !== undefined);
    if (next === undefined) return undefined;
    found = next;
  }
  const described = alternatives(found);
  const description = described.map((each) => each['description']).find((each) => typeof each === 'string');
  const names = [
    ...new Set(described.flatMap((each) => Object.keys((each['properties'] as Schema | undefined) ?? {}))),
  ];
  return {
    ...(description !== undefined && {description}),
    ...(names.length > 0 && {keys: names}),
  };
}

/** The schema, the schema it refers to, and all its alternatives. */
function alternatives(given: Schema): readonly Schema[] {
  const {$ref: ref, oneOf = []} = given as {$ref?: string; oneOf?: readonly Schema[]};
  const referred = ref === undefined ? undefined : (valueAt(schema, ref.split('/').slice(1)) as Schema | undefined);
  return [given, ...[...(referred === undefined ? [] : [referred]), ...oneOf].flatMap(alternatives)];
}

function step(from: Schema, key: string): Schema | undefined {
  const {
    properties = {},
    additionalProperties: others,
    items,
  } = from as {
    properties?: Readonly<Record<string, Schema>>;
    additionalProperties?: Schema | boolean;
    items?: Schema;
  };
  if (Object.hasOwn(properties, key)) return properties[key];
  if (typeof others === 'object') return others;
  return /^\d+$/u.test(key) ? items : undefined;
}

// The shape of a result: its members by name and type, two levels deep. Clients receive it in every conversation, and the
// kernel has already checked each value.
import {isSchemaObject, type Schema} from '../packs/schemas/schema-keywords.ts';

const levelsMax = 2;
const hopsMax = 8;

/** Accepts everything that the schema accepts. Contains no references. */
export function resultShape(schema: Schema): Schema {
  return shapeOf(schema, schema, 0);
}

/** `base`: where references start. */
function shapeOf(schema: unknown, base: Schema, level: number): Schema {
  const {target, base: own} = follow(schema, base);
  const {type, enum: values} = target;
  return {
    ...(type !== undefined && {type}),
    ...(values !== undefined && level < levelsMax && {enum: values}),
    ...(type === 'object' && level < levelsMax && membersOf(target, own, level)),
  };
}

function membersOf({properties, required}: Schema, base: Schema, level: number): Schema {
  const members = isSchemaObject(properties) ? Object.entries(properties) : [];
  return {
    ...(required !== undefined && level === 0 && {required}),
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member, base, level + 1)])),
    }),
  };
}

/** The schema that a reference leads to; one that allows everything if it leads elsewhere or in a circle. */
function follow(schema: unknown, base: Schema): {readonly target: Schema; readonly base: Schema} {
  let target = schema;
  let own = base;
  for (let hop = 0; hop <= hopsMax && isSchemaObject(target); hop += 1) {
    if (typeof target['$id'] === 'string') own = target;
    const {$ref} = target;
    if (typeof $ref !== 'string') return {target, base: own};
    target = valueAt($ref, own);
  }
  return {target: {}, base: own};
}

function valueAt(reference: string, base: Schema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const parts = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  return parts.reduce<unknown>(
    (at, part) => (isSchemaObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    base,
  );
}

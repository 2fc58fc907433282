// A message as JSON Schema. Messages are definitions, because they can contain themselves.
import {protobuf} from './protobuf.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface MessageSchemas {
  /** A reference to the message. */
  refer(type: protobuf.Type): {readonly $ref: string};
  definitions(): Readonly<Record<string, Schema>>;
}

const integers: Schema = {type: 'integer'};
/** Beyond what a number of JSON represents exactly. */
const large: Schema = {type: ['string', 'integer'], pattern: '^-?[0-9]+$'};
const decimals: Schema = {type: ['number', 'string']};
const scalars: Readonly<Record<string, Schema>> = {
  string: {type: 'string'},
  bool: {type: 'boolean'},
  bytes: {type: 'string', contentEncoding: 'base64'},
  float: decimals,
  double: decimals,
  int32: integers,
  uint32: integers,
  sint32: integers,
  fixed32: integers,
  sfixed32: integers,
  int64: large,
  uint64: large,
  sint64: large,
  fixed64: large,
  sfixed64: large,
};

/** `direction`: a request can omit fields, a response has `null` for messages that are not set. */
export function createMessageSchemas(direction: 'request' | 'response'): MessageSchemas {
  // A service chooses the names, `constructor` for example.
  const definitions = new Map<string, Schema>();

  function refer(type: protobuf.Type): {readonly $ref: string} {
    const name = type.fullName.slice(1);
    if (!definitions.has(name)) {
      definitions.set(name, {});
      definitions.set(name, describe(type));
    }
    return {$ref: `#/$defs/${name}`};
  }

  function describe(type: protobuf.Type): Schema {
    const required = type.fieldsArray.filter(({required: isRequired}) => isRequired).map(({name}) => name);
    return {
      type: 'object',
      ...(type.comment !== null && {description: type.comment}),
      properties: Object.fromEntries(type.fieldsArray.map((field) => [field.name, ofField(field)])),
      ...(required.length > 0 && direction === 'request' && {required}),
      additionalProperties: direction === 'response',
    };
  }

  function ofField(field: protobuf.Field): Schema {
    const value = ofValue(field);
    const whole =
      field instanceof protobuf.MapField
        ? {type: 'object', additionalProperties: value}
        : field.repeated
          ? {type: 'array', items: value}
          : direction === 'response' && field.resolvedType instanceof protobuf.Type
            ? {anyOf: [value, {type: 'null'}]}
            : value;
    const {comment, partOf} = field;
    const others = partOf?.oneof.filter((name) => name !== field.name) ?? [];
    const exclusive = others.length === 0 ? [] : [`Instead of ${others.join(', ')}.`];
    const description = [...(comment === null ? [] : [comment]), ...exclusive].join(' ');
    return description === '' ? whole : {...whole, description};
  }

  function ofValue({resolvedType, type}: protobuf.Field): Schema {
    if (resolvedType instanceof protobuf.Type) return refer(resolvedType);
    if (resolvedType instanceof protobuf.Enum) {
      const names = Object.keys(resolvedType.values);
      // A service can be newer than the types.
      return direction === 'request' ? {enum: names} : {type: ['string', 'integer']};
    }
    return scalars[type] ?? {};
  }

  return {refer, definitions: () => Object.fromEntries(definitions)};
}

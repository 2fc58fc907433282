// How many values a message has once it is decoded. A few bytes can become many: each empty message has a value for every field. It is
// read from the encoded bytes, so what is too large is never decoded.
import {protobuf} from './protobuf.ts';

/** Stops counting beyond `max`. Throws if the bytes are not a message. */
export function messageWeight(bytes: Uint8Array, type: protobuf.Type, max: number): number {
  return weigh(protobuf.Reader.create(bytes), type, max);
}

const lengthDelimited = 2;

function weigh(reader: protobuf.Reader, type: protobuf.Type, max: number): number {
  let weight = type.fieldsArray.length;
  while (reader.pos < reader.len && weight <= max) {
    const tag = reader.uint32();
    const field = type.fieldsById[tag >>> 3];
    weight += 1;
    if (field?.resolvedType instanceof protobuf.Type && (tag & 7) === lengthDelimited) {
      weight += weigh(protobuf.Reader.create(reader.bytes()), field.resolvedType, max - weight);
    } else reader.skipType(tag & 7);
  }
  return weight;
}

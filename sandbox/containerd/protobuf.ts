// Messages of protocol buffers, as far as containerd's API needs them: numbers, text and nested messages.

/** Fields by their numbers. Nested messages and text are bytes; a field that is repeated is a list. */
export type Message = Readonly<Record<number, Value | readonly Value[]>>;
type Value = number | boolean | string | Uint8Array | undefined;
export type FieldValue = number | Buffer;

/** Fields without a value are left out, as are zeros: a reader assumes them. */
export function encodeMessage(message: Message): Buffer {
  return Buffer.concat(
    Object.entries(message).flatMap(([number, value]) =>
      (Array.isArray(value) ? (value as readonly Value[]) : [value as Value]).map((each) =>
        encodeField(Number(number), each),
      ),
    ),
  );
}

function encodeField(number: number, value: Value): Buffer {
  if (value === undefined || value === false || value === 0) return Buffer.alloc(0);
  if (typeof value === 'number' || value === true) return Buffer.concat([varint(number * 8), varint(Number(value))]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + lengthDelimited), varint(bytes.length), bytes]);
}

/** By number, in order. Throws if the bytes are not a message of such fields. */
export function decodeMessage(bytes: Buffer): ReadonlyMap<number, readonly FieldValue[]> {
  const fields = new Map<number, FieldValue[]>();
  let at = 0;
  const read = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('a message ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = read(1)[0] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  while (at < bytes.length) {
    const key = number();
    const type = key % 8;
    const value = type === 0 ? number() : read(type === lengthDelimited ? number() : fixedLength(type));
    const name = Math.floor(key / 8);
    const known = fields.get(name);
    if (known === undefined) fields.set(name, [value]);
    else known.push(value);
  }
  return fields;
}

const lengthDelimited = 2;

function fixedLength(type: number): number {
  if (type === 1) return 8;
  if (type === 5) return 4;
  throw new Error(`a message has a field of the unknown type ${type}`);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

// The fields of an HTTP message, as signatures see them. A covered field that is sent twice has no single value, so it is refused.
import {failed, ok, type Outcome} from '../outcome.ts';

/**
 * By lower-case name. A received message gives each line of a field as one element, such as Node's `headersDistinct`: `headers` joins
 * some repeated fields and drops others.
 */
export type MessageFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longer values of covered fields are refused. */
const lengthMax = 2048;

/** The value of a field that may be missing, but is sent once. */
export function readField(fields: MessageFields, name: string): Outcome<string | undefined> {
  const given = fields[name];
  const lines = given === undefined ? [] : typeof given === 'string' ? [given] : given;
  const [line, ...others] = lines;
  if (line === undefined) return ok(undefined);
  if (others.length > 0) {
    return failed({
      message: `the field \`${name}\` is sent ${lines.length} times`,
      help: 'send each signed field once',
    });
  }
  const value = line.replace(/^[ \t]+|[ \t]+$/gu, '');
  if (value.length > lengthMax) {
    const message = `the field \`${name}\` has ${value.length} characters, and ${lengthMax} are allowed`;
    return failed({message, help: 'send a shorter value'});
  }
  if (!/^[\t -~]*$/u.test(value)) {
    const message = `the field \`${name}\` contains a character that is not visible ASCII`;
    return failed({message, help: 'send visible ASCII characters in signed fields'});
  }
  return ok(value);
}

/** The same of a field that must be there. */
export function readRequiredField(fields: MessageFields, name: string): Outcome<string> {
  const read = readField(fields, name);
  if (!read.ok) return read;
  return read.value === undefined
    ? failed({
        message: `the field \`${name}\` is missing`,
        help: 'sign the message, and send all fields of the signature',
      })
    : ok(read.value);
}

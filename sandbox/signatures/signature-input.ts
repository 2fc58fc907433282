// The one member of a `Signature-Input` field, in the form that RFC 9421 puts into the signature base. Only this form is accepted. A
// parser of structured fields would keep the last of repeated members and parameters; here a repetition cannot be written.
import {failed, ok, type Outcome} from '../outcome.ts';

export interface SignatureInput {
  /** The name that the signature has in both fields. */
  readonly label: string;
  /** Identifiers of the covered components as they are serialized, such as `"@method"` or `"signature";req`. */
  readonly components: readonly string[];
  /** Parameters that are integers. */
  readonly times: ReadonlyMap<string, number>;
  /** Parameters that are strings. */
  readonly texts: ReadonlyMap<string, string>;
  /** What is signed of it, as the value of `@signature-params`. */
  readonly text: string;
}

const component = String.raw`"[a-z0-9@_-]+"(?:;req)?`;
const parameter = String.raw`;[a-z]+=(?:[0-9]{1,15}|"[ !#-[\]-~]*")`;
const member = new RegExp(
  String.raw`^([a-z*][a-z0-9_.*-]{0,63})=(\((${component}(?: ${component})*)\)((?:${parameter})*))$`,
  'u',
);

export function parseSignatureInput(value: string): Outcome<SignatureInput> {
  const [, label, text, componentsText, parametersText] = member.exec(value) ?? [];
  if (label === undefined || text === undefined || componentsText === undefined || parametersText === undefined) {
    const message = '`signature-input` is not one signature in the canonical form of RFC 9421';
    return failed({
      message,
      help: 'send one signature: `NAME=("@method" …);created=…;keyid="…"`, without other spaces',
    });
  }
  const components = componentsText.split(' ');
  const times: (readonly [string, number])[] = [];
  const texts: (readonly [string, string])[] = [];
  for (const [, name = '', number, string = ''] of parametersText.matchAll(/;([a-z]+)=(?:([0-9]+)|"([^"]*)")/gu)) {
    if (number === undefined) texts.push([name, string]);
    else times.push([name, Number(number)]);
  }
  const repeated = firstRepeated(components) ?? firstRepeated([...times, ...texts].map(([name]) => name));
  if (repeated !== undefined) {
    const message = `\`signature-input\` names ${repeated} twice`;
    return failed({message, help: 'name each component and each parameter once'});
  }
  return ok({label, components, times: new Map(times), texts: new Map(texts), text});
}

/** The inner list with its parameters, as `text` of a parsed one. */
export function writeSignatureInput(
  components: readonly string[],
  parameters: readonly (readonly [string, string | number])[],
): string {
  const written = parameters.map(([name, value]) => `;${name}=${typeof value === 'number' ? value : `"${value}"`}`);
  return `(${components.join(' ')})${written.join('')}`;
}

function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

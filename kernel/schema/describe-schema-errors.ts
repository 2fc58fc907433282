// Turns what Ajv reports into findings a person can act on: one for each mistake, in plain words,
// without the noise of branches that were never meant.
import {cutText} from '../cut-text.ts';
import type {SchemaError} from '@lumenflow/schemas/validators';
import {nearestName} from '../names/nearest-name.ts';

export interface SchemaFinding {
  /** JSON pointer of the value that is wrong. */
  readonly pointer: string;
  /** Set when the mistake is a key of the object at `pointer`, not its value. */
  readonly key?: string;
  readonly message: string;
  readonly help?: string;
}

type Described = Pick<SchemaFinding, 'message' | 'help' | 'key'>;

export function describeSchemaErrors(errors: readonly SchemaError[]): readonly SchemaFinding[] {
  const findings = new Map<string, SchemaFinding>();
  for (const error of withoutNoise(errors)) {
    const finding = {pointer: error.instancePath, ...describeError(error)};
    findings.set(`${finding.pointer}\0${finding.key ?? ''}\0${finding.message}`, finding);
  }
  return [...findings.values()];
}

function withoutNoise(errors: readonly SchemaError[]): readonly SchemaError[] {
  const unions = errors.filter((error) => error.keyword === 'oneOf' || error.keyword === 'anyOf');
  const missing = new Set(errors.filter((error) => error.keyword === 'required').map(missingPointer));
  const short = new Set(errors.filter((error) => error.keyword === 'minLength').map((error) => error.instancePath));
  const chosen = new Set(errors.filter((error) => error.keyword === 'enum').map((error) => error.instancePath));
  return errors.filter((error) => {
    if (error.keyword === 'if' || error.keyword === 'propertyNames') return false;
    // A text that is too short says more than the pattern that it breaks because of that.
    if (error.keyword === 'pattern' && short.has(error.instancePath)) return false;
    // What a value must be one of says its type, too.
    if (error.keyword === 'type' && chosen.has(error.instancePath)) return false;
    if (error.keyword === 'discriminator') return !missing.has(`${error.instancePath}/${String(error.params['tag'])}`);
    const union = unions.find((one) => one !== error && isBelow(error, one));
    if (union) return unions.includes(error) ? false : meantBranch(errors, union) === branchOf(error, union);
    return !unions.includes(error) || meantBranch(errors, error) === undefined;
  });
}

function missingPointer(error: SchemaError): string {
  return `${error.instancePath}/${String(error.params['missingProperty'])}`;
}

function isBelow(error: SchemaError, union: SchemaError): boolean {
  return error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath);
}

function branchOf(error: SchemaError, union: SchemaError): string {
  return error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] ?? '';
}

/** The only branch of a union whose type fits the value: its errors say more than "matches none". */
function meantBranch(errors: readonly SchemaError[], union: SchemaError): string | undefined {
  const below = errors.filter((error) => error !== union && isBelow(error, union));
  const branches = new Set(below.map((error) => branchOf(error, union)));
  const misfits = below.filter((error) => error.instancePath === union.instancePath && error.keyword === 'type');
  for (const misfit of misfits) branches.delete(branchOf(misfit, union));
  const [only] = branches;
  return branches.size === 1 ? only : undefined;
}

function describeError(error: SchemaError): Described {
  const subject = subjectOf(error);
  const {params} = error;
  switch (error.keyword) {
    case 'required':
      return {message: `\`${String(params['missingProperty'])}\` is missing`, ...helpOfProperty(error)};
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return describeUnknownKey(error);
    case 'type':
      return describeType(error, subject);
    case 'enum':
      return describeChoice(subject, error.data, params['allowedValues']);
    case 'const':
      return describeChoice(subject, error.data, [params['allowedValue']]);
    case 'discriminator':
      return describeVariant(error);
    case 'oneOf':
    case 'anyOf':
      return {message: `${subject} matches none of the allowed forms`, ...helpOfForms(error)};
    case 'pattern':
      return {
        message: `${subject} is ${quote(error.data)}, which does not match \`${String(params['pattern'])}\``,
        ...helpOfExamples(error),
      };
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      return params['limit'] === 1
        ? {message: `${subject} is empty`, help: helpOfEmpty[error.keyword]}
        : {message: `${subject} ${ajvMessage(error)}`};
    default:
      return describeBound(error, subject);
  }
}

/** How to write the formats that people write themselves. */
const helpOfFormat: Readonly<Record<string, string>> = {
  'date-time': 'use ISO 8601 with a time zone, for example `2026-01-31T09:00:00Z`',
  date: 'use ISO 8601, for example `2026-01-31`',
  time: 'use ISO 8601 with a time zone, for example `09:00:00Z`',
  email: 'write for example `ann@mail.example`',
  uri: 'write for example `https://api.example/items`',
};

function describeFormat({params, data}: SchemaError, subject: string): Described {
  const format = String(params['format']);
  const help = helpOfFormat[format];
  return {message: `${subject} is ${quote(data)}, which is not a valid ${format}`, ...(help !== undefined && {help})};
}

const boundWords: Readonly<Record<string, string>> = {
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
};

function describeBound(error: SchemaError, subject: string): Described {
  const {keyword, params, data} = error;
  if (keyword === 'format') return describeFormat(error, subject);
  const bound = boundWords[keyword];
  if (bound === undefined) return {message: `${subject} ${ajvMessage(error)}`};
  const size = keyword.toLowerCase().endsWith('minimum') ? 'small' : 'large';
  const help = `write a number of ${bound} ${String(params['limit'])}`;
  return {message: `${subject} is ${quote(data)}, which is too ${size}`, help};
}

const helpOfEmpty = {
  minItems: 'add an item, or remove the key',
  minLength: 'set a value',
  minProperties: 'add a key, or remove the whole',
} as const;

function ajvMessage(error: SchemaError): string {
  return (error.message ?? `breaks the rule ${error.keyword}`).replace('NOT', 'not');
}

function subjectOf(error: SchemaError): string {
  if (error.propertyName !== undefined) return 'the key';
  const last = error.instancePath.slice(error.instancePath.lastIndexOf('/') + 1);
  if (error.instancePath === '') return 'the value';
  if (/^\d+$/.test(last))
    return `the ${ordinal(Number(last) + 1)} item of \`${segments(error.instancePath).at(-2) ?? ''}\``;
  return `\`${segments(error.instancePath).at(-1) ?? ''}\``;
}

function ordinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

function segments(pointer: string): readonly string[] {
  return pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function describeUnknownKey(error: SchemaError): Described {
  const key = String(error.params['additionalProperty'] ?? error.params['unevaluatedProperty']);
  const allowed = Object.keys(asRecord(error.parentSchema?.['properties']));
  return {key, message: `unknown key \`${key}\``, ...choiceHelp(key, allowed)};
}

function describeType(error: SchemaError, subject: string): Described {
  const wanted = [error.params['type']].flat().map((type) => withArticle(String(type)));
  const found = typeOf(error.data);
  const message = `${subject} must be ${wanted.join(' or ')} but is ${withArticle(found)}`;
  if (error.params['type'] === 'boolean' && Object.hasOwn(booleans, String(error.data).toLowerCase())) {
    return {message, help: `write ${booleans[String(error.data).toLowerCase()] ?? ''}`};
  }
  const scalar = found === 'number' || found === 'boolean';
  return scalar && error.params['type'] === 'string' ? {message, help: `quote it: "${String(error.data)}"`} : {message};
}

/** YAML 1.1 read these as booleans. */
const booleans: Readonly<Record<string, string>> = {
  yes: 'true',
  on: 'true',
  true: 'true',
  no: 'false',
  off: 'false',
  false: 'false',
};

function describeChoice(subject: string, value: unknown, allowedValues: unknown): Described {
  const allowed = Array.isArray(allowedValues) ? allowedValues : [];
  const message = `${subject} is ${quote(value)}, which is not ${allowed.length === 1 ? '' : 'one of '}`;
  const listed = allowed.slice(0, 20).map(quote).join(', ') + (allowed.length > 20 ? ', …' : '');
  const near =
    typeof value === 'string'
      ? nearestName(
          value,
          allowed.filter((one) => typeof one === 'string'),
        )
      : undefined;
  return {message: message + listed, ...(near === undefined ? {} : {help: `did you mean \`${near}\`?`})};
}

/** Variants are named after the schemas of the branches: `path_scope`, `network_scope` are `path` and `network`. */
function describeVariant(error: SchemaError): Described {
  const tag = String(error.params['tag']);
  const branches = [error.parentSchema?.['oneOf']].flat().map((branch) => asText(asRecord(branch)['$ref']));
  const names = branches.map((ref) => ref.slice(ref.lastIndexOf('/') + 1)).map((name) => name.replace(/_[a-z]+$/, ''));
  return describeChoice(`\`${tag}\``, error.params['tagValue'] ?? asRecord(error.data)[tag], names);
}

function helpOfProperty(error: SchemaError): {help?: string} {
  const property = asRecord(asRecord(error.parentSchema?.['properties'])[String(error.params['missingProperty'])]);
  const {description} = property;
  return typeof description === 'string'
    ? {help: `add \`${String(error.params['missingProperty'])}\`: ${description}`}
    : {};
}

function helpOfExamples({parentSchema}: SchemaError): {help?: string} {
  const examples: unknown = parentSchema?.['examples'];
  if (!Array.isArray(examples) || examples.length === 0) return {};
  return {help: `for example ${examples.slice(0, 3).map(quote).join(', ')}`};
}

function helpOfForms(error: SchemaError): {help?: string} {
  const forms = [error.parentSchema?.[error.keyword]].flat().map((form) => asRecord(form));
  const types = forms.map((form) => form['type']).filter((type) => typeof type === 'string');
  return types.length === forms.length ? {help: `use ${types.map(withArticle).join(' or ')}`} : {};
}

function choiceHelp(name: string, allowed: readonly string[]): {help?: string} {
  if (allowed.length === 0) return {};
  const near = nearestName(name, allowed);
  const listed = `allowed here: ${allowed.slice(0, 30).join(', ')}`;
  return {help: near === undefined ? listed : `did you mean \`${near}\`? ${listed}`};
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function withArticle(type: string): string {
  const names: Record<string, string> = {array: 'a list', object: 'a map', integer: 'a whole number', null: 'nothing'};
  return names[type] ?? `a ${type}`;
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
  return `\`${text.length > 80 ? `${cutText(text, 80)}…` : text}\``;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

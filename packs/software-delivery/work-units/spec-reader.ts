// Parses a spec file, and reports each error with its line and column.
import {Ajv2020, type ErrorObject, type ValidateFunction} from 'ajv/dist/2020.js';
import {isMap, isScalar, LineCounter, parseDocument, visit, type Document} from 'yaml';
import type {WuSpec} from './wu-spec.ts';
import schema from './wu-spec.schema.json' with {type: 'json'};

export interface SpecProblem {
  /** `file:line:column`. */
  readonly where: string;
  readonly message: string;
}

export type SpecReading =
  | {readonly spec: WuSpec; readonly problems: readonly []}
  | {readonly problems: readonly SpecProblem[]};

export interface SpecReader {
  /** `file` is the name for messages. */
  read(text: string, file: string): SpecReading;
}

export function createSpecReader(): SpecReader {
  const validate = new Ajv2020({allErrors: true, verbose: true, strict: false}).compile(schema);
  return {read: (text, file) => readSpec(validate, text, file)};
}

function readSpec(validate: ValidateFunction, text: string, file: string): SpecReading {
  const lines = new LineCounter();
  const document = parseDocument(text, {version: '1.2', merge: false, prettyErrors: false, lineCounter: lines});
  const place = (offset: number): string => {
    const {line, col} = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    return {problems: document.errors.map(({pos, message}) => ({where: place(pos[0]), message: lowerFirst(message)}))};
  }
  const aliases = aliasesIn(document);
  if (aliases.length > 0) {
    return {
      problems: aliases.map((offset) => ({
        where: place(offset),
        message: 'aliases are not supported: write the value',
      })),
    };
  }
  const value: unknown = document.toJS();
  if (validate(value)) return {spec: value as WuSpec, problems: []};
  // `if` only says that one of the other errors is in its branch.
  const errors = (validate.errors ?? []).filter(({keyword}) => keyword !== 'if');
  const problems = errors.map((error) => ({
    where: place(offsetOf(document, error)),
    message: messageOf(error),
  }));
  return {problems};
}

/** Offsets of aliases. They are rejected, because a few of them can expand to huge data. */
function aliasesIn(document: Document): readonly number[] {
  const found: number[] = [];
  visit(document, {Alias: (_, {range}) => void found.push(range?.[0] ?? 0)});
  return found;
}

/** Position of the value, or of the name for a field that is not allowed. */
function offsetOf(document: Document, {instancePath, keyword, params}: ErrorObject): number {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (keyword === 'additionalProperties' && isMap(node)) {
    const pair = node.items.find(
      ({key}) => isScalar(key) && key.value === (params as {additionalProperty: string}).additionalProperty,
    );
    if (isScalar(pair?.key)) return pair.key.range?.[0] ?? 0;
  }
  return (node as {range?: readonly number[] | null} | null | undefined)?.range?.[0] ?? 0;
}

function messageOf({instancePath, keyword, params, message = 'is not valid'}: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll('/', '.') || 'the spec';
  if (keyword === 'additionalProperties') {
    return `\`${(params as {additionalProperty: string}).additionalProperty}\` is not a field of a spec`;
  }
  if (keyword === 'required') {
    return `the field \`${(params as {missingProperty: string}).missingProperty}\` is missing`;
  }
  if (keyword === 'enum') {
    const values = (params as {allowedValues: readonly string[]}).allowedValues;
    return `\`${field}\` must be one of ${values.map((value) => `\`${value}\``).join(', ')}`;
  }
  return `\`${field}\` ${message.replace('NOT', 'not')}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}

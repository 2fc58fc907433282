// Reads one YAML file so that every mistake in it, of syntax or of shape, is named with its line and column.
// Only plain YAML 1.2 is read: no tags, no merge keys, bounded aliases, depth and size.
import type {Problem} from '@lumenflow/kernel';
import {describeSchemaErrors} from '@lumenflow/kernel/adapters';
import type {SchemaValidator} from '@lumenflow/schemas/validators';
import {LineCounter, parseDocument, type Document, type YAMLError} from 'yaml';
import {createYamlLocator, type YamlLocator} from './yaml-locator.ts';
import {readYamlValue} from './read-yaml-value.ts';

export interface YamlSource {
  readonly text: string;
  /** As messages show it, relative to the workspace root. */
  readonly file: string;
  readonly validate: SchemaValidator;
  /** Code of the problems that the schema finds. */
  readonly code: string;
  /** Written by LumenFlow, not by a person: it can be longer. */
  readonly isGenerated?: boolean;
}

export interface YamlDocument {
  /** Undefined when the text cannot be read as YAML. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /**
   * `file:line:column` of the value at a JSON pointer, or of its nearest ancestor if there is none; with `key`, of the
   * value's key.
   */
  locate(pointer: string, part?: 'key'): string;
}

/** In characters and in values. Of a generated file, as many as are parsed in a few seconds. */
const bounds = {
  written: {lengthMax: 1024 * 1024, nodesMax: 100_000},
  generated: {lengthMax: 8 * 1024 * 1024, nodesMax: 1_000_000},
} as const;
const problemsMax = 50;

export function parseYamlDocument(source: YamlSource): YamlDocument {
  const {file} = source;
  const {lengthMax, nodesMax} = bounds[source.isGenerated === true ? 'generated' : 'written'];
  if (source.text.length > lengthMax) {
    const problem = yamlProblem('YAML_TOO_LARGE', `the file is larger than ${lengthMax} characters`, file, shortenIt);
    return {value: undefined, problems: [problem], locate: () => file};
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(source.text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter,
  });
  const locator = createYamlLocator(document, lineCounter, file);
  const locate: YamlDocument['locate'] = (pointer, part) =>
    part === 'key' ? locator.keyOf(pointer) : locator.value(pointer);
  const syntax = syntaxProblems(document, locator, source.text);
  if (syntax.length > 0) return {value: undefined, problems: syntax.slice(0, problemsMax), locate};

  const problems: Problem[] = [];
  const value = readYamlValue(document, nodesMax, (finding) => {
    problems.push(yamlProblem(finding.code, finding.message, locator.offset(finding.offset), finding.help));
  });
  // What cannot be read at a position has no shape there.
  const unread = new Set(problems.map(({where}) => where));
  if (value !== undefined) {
    problems.push(...schemaProblems(source, value, locator).filter(({where}) => !unread.has(where)));
  }
  return {value, problems: problems.slice(0, problemsMax), locate};
}

function syntaxProblems(document: Document, locator: YamlLocator, text: string): readonly Problem[] {
  const problems = firstOfEachEntry(document.errors, text).map((error) =>
    yamlProblem('YAML_SYNTAX', syntaxMessage(error), locator.offset(error.pos[0]), syntaxHelp[error.code] ?? quoteIt),
  );
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    const help = 'remove the %YAML directive: files are read as YAML 1.2';
    problems.push(
      yamlProblem(
        'YAML_UNSUPPORTED',
        `YAML ${document.directives.yaml.version} is not supported`,
        locator.offset(0),
        help,
      ),
    );
  }
  return problems;
}

/** What follows a mistake is mostly its echo, until a line at the margin begins the next entry. */
function firstOfEachEntry(errors: readonly YAMLError[], text: string): readonly YAMLError[] {
  const seen = new Set<number>();
  return errors.filter(({pos: [offset]}) => {
    const entry = entryStart(text, offset);
    const isFirst = !seen.has(entry);
    seen.add(entry);
    return isFirst;
  });
}

/** Of the unindented line that contains an offset or precedes it. */
function entryStart(text: string, offset: number): number {
  let start = text.lastIndexOf('\n', offset - 1) + 1;
  while (start > 0 && /\s/u.test(text.charAt(start))) start = text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

function schemaProblems(source: YamlSource, value: unknown, locator: YamlLocator): readonly Problem[] {
  if (source.validate(value)) return [];
  if (value === null) return [yamlProblem(source.code, 'the file is empty', locator.offset(0), fillIt)];
  return describeSchemaErrors(source.validate.errors ?? []).map((finding) => ({
    code: source.code,
    severity: 'error',
    message: finding.message,
    where: finding.key === undefined ? locator.value(finding.pointer) : locator.key(finding.pointer, finding.key),
    pointer: finding.pointer,
    ...(finding.help === undefined ? {} : {help: finding.help}),
  }));
}

function yamlProblem(code: string, message: string, where: string, help?: string): Problem {
  return {code, severity: 'error', message, where, help};
}

const syntaxHelp: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  TAB_AS_INDENT: 'indent by spaces',
  BAD_INDENT: 'indent it with spaces, like the entries next to it',
  MISSING_CHAR: 'close what is open; a key is written `key: value`, with a space after the colon',
  BAD_DQ_ESCAPE: 'double the backslash, or use single quotes',
  MULTIPLE_DOCS: 'keep one of them',
};
const fillIt = 'write its keys, or restore the file';
const shortenIt = 'shorten it, for example by removing comments and entries that nothing uses';
const quoteIt = 'quote a text that contains YAML syntax, such as `:`, `*`, `{` or `#`';

function syntaxMessage(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS') return 'the file contains more than one document';
  if (error.code === 'RESOURCE_EXHAUSTION') return 'the document is too deep to read';
  return error.message.charAt(0).toLowerCase() + error.message.slice(1);
}

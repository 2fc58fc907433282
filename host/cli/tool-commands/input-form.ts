// The input of a tool as YAML for an editor: a comment and a line for each field. Mistakes appear as comments at the top.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {parseDocument, stringify} from 'yaml';
import {followReference} from '../../packs/schemas/follow-reference.ts';
import {commandOf} from './tool-help.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Below it, the fields begin. */
const border = '# ---';
const commentWidth = 100;
/** Options of a call, not data of a form. */
const omitted: readonly string[] = ['dry_run'];

/** Fields with a value and required ones are lines; all others are comments. */
export function renderForm({name, input_schema: schema = {}}: ToolDeclaration, given: Fields): string {
  const required = (schema['required'] ?? []) as readonly string[];
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Fields>>)
    .filter(([key]) => !omitted.includes(key))
    .map(([key, property]) => {
      const isRequired = required.includes(key);
      const note = comment(noteOf(followReference(property, schema), property, isRequired));
      if (Object.hasOwn(given, key)) return `${note}${stringify({[key]: given[key]}, {lineWidth: 0})}`;
      return `${note}${isRequired ? '' : '# '}${key}:\n`;
    });
  return `${headerOf(name, [])}${fields.join('\n')}`;
}

/** The text with these mistakes at the top, instead of earlier ones. */
export function withMistakes(tool: string, text: string, mistakes: readonly string[]): string {
  return `${headerOf(tool, mistakes)}${bodyOf(text)}`;
}

function headerOf(tool: string, mistakes: readonly string[]): string {
  const reported = mistakes.flatMap((mistake) =>
    mistake.split('\n').map((line, at) => `${at === 0 ? '✘ ' : '  '}${line}`),
  );
  const lines = [
    ...reported,
    ...(reported.length > 0 ? [''] : []),
    `${commandOf(tool)}: fill in the fields, save, and close the editor.`,
    'Lines with # are comments. To cancel, remove all fields.',
  ];
  return `${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n${border}\n`;
}

function bodyOf(text: string): string {
  const at = text.indexOf(`${border}\n`);
  return at === -1 ? text : text.slice(at + border.length + 1);
}

export type FormReading = {readonly input: Fields} | {readonly mistakes: readonly string[]};

/** Fields without a value count as absent. An empty form is an empty input. */
export function readForm(text: string): FormReading {
  const document = parseDocument(bodyOf(text), {version: '1.2', merge: false});
  if (document.errors.length > 0) return {mistakes: document.errors.map(({message}) => message.trim())};
  const value: unknown = document.toJS({maxAliasCount: 0});
  if (value === null || value === undefined) return {input: {}};
  if (typeof value !== 'object' || Array.isArray(value)) return {mistakes: ['write one field a line: `title: …`']};
  return {input: Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))};
}

function noteOf(schema: Fields, property: Fields, isRequired: boolean): string {
  const {description} = {...schema, ...property} as {readonly description?: unknown};
  const choices = Array.isArray(schema['enum']) ? `one of ${schema['enum'].map(String).join(', ')}` : '';
  const kind = schema['type'] === 'array' ? 'a list' : '';
  return [isRequired ? 'required' : '', kind, choices, typeof description === 'string' ? description : '']
    .filter((part) => part !== '')
    .join('; ');
}

/** As comment lines. */
function comment(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u).filter((part) => part !== '')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > commentWidth) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${line}\n`).join('');
}

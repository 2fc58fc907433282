// Reads the input of a call from the command line: whole JSON, single fields, or both.
import {cutText} from '@lumenflow/kernel';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {followReference} from '../../packs/schemas/follow-reference.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';

export interface InputSource {
  /** `--input`: JSON, `@file`, a name that ends in `.json`, or `-` for stdin. */
  readonly input: string | undefined;
  /** `key=value` and `key:=JSON`. */
  readonly fields: readonly string[];
  /** The tool's input schema; absent for a tool that does not exist. */
  readonly schema: ToolDeclaration['input_schema'];
}

/** Throws CliError INVALID_ARGUMENT. Single fields override those of `--input`. */
export async function readCallInput(
  context: Pick<CliContext, 'cwd' | 'readStdin'>,
  {input, fields, schema}: InputSource,
): Promise<unknown> {
  const whole = input === undefined ? {} : parseJson(await textOf(context, input));
  if (fields.length === 0) return whole;
  if (!isRecord(whole)) {
    throw invalid('`--input` is not a JSON object, so fields cannot be added to it', 'give either --input or fields');
  }
  return {...whole, ...Object.fromEntries(fields.map((field) => parseField(field, schema)))};
}

const shownMax = 80;

async function textOf({cwd, readStdin}: Pick<CliContext, 'cwd' | 'readStdin'>, input: string): Promise<string> {
  if (input === '-') {
    const text = await readStdin();
    if (text.trim() !== '') return text;
    throw invalid(
      '`--input -` reads stdin, but stdin is empty',
      'pipe JSON into the command, or redirect a file to it',
    );
  }
  const file = input.startsWith('@') ? input.slice(1) : /^[^{["]+\.json$/u.test(input) ? input : undefined;
  return file === undefined ? input : await readFile(resolve(cwd, file), 'utf8');
}

function parseField(field: string, schema: InputSource['schema']): readonly [string, unknown] {
  if (/^\s*[{[]/u.test(field)) {
    const shown = field.length > shownMax ? `${cutText(field, shownMax)}…` : field;
    throw invalid(
      `\`${shown}\` is JSON, not a field`,
      "pass the whole input as `--input '{…}'`, or a field as key=value",
    );
  }
  const [, key, operator, text] = /^([^=:]+)(:?=)(.*)$/su.exec(field) ?? [];
  if (key === undefined || text === undefined) {
    throw invalid(`\`${field}\` is not a field`, 'write key=value, or key:=JSON');
  }
  if (operator === ':=') return [key, parseFieldJson(text, key)];
  return [key, typed(text, typesOf(schema, key))];
}

/** A string unless the tool declares another type for the field. An invalid value stays text, which the tool rejects. */
function typed(text: string, types: readonly unknown[]): unknown {
  if (types.length === 0 || types.includes('string')) return text;
  try {
    return JSON.parse(text);
  } catch {
    // The kernel reports the expected type.
    return types.includes('array') ? text.split(',') : text;
  }
}

function typesOf(schema: InputSource['schema'], key: string): readonly unknown[] {
  const properties = schema?.['properties'];
  const property = isRecord(properties) ? properties[key] : undefined;
  const {type} = schema && isRecord(property) ? followReference(property, schema) : {};
  return type === undefined ? [] : [type].flat();
}

function parseFieldJson(text: string, key: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(
      `the value of \`${key}\` is not JSON: ${(error as Error).message}`,
      `write \`${key}=TEXT\` for text, or quote JSON for the shell: '${key}:=["a b"]'`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(
      `\`--input\` is not JSON: ${(error as Error).message}`,
      'quote it for the shell: \'{"path": "a b"}\'',
    );
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}

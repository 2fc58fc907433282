// Derives the flags of a tool's command from its input schema. Each field is a flag; dots join nested fields.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {followReference} from '../../packs/schemas/follow-reference.ts';
import type {Schema} from '../../packs/schemas/schema-keywords.ts';

/** The type of a flag's value; `any` is JSON if it parses as JSON, else text. */
export type FlagKind = 'text' | 'number' | 'integer' | 'boolean' | 'json' | 'any';

export interface ToolFlag {
  /** Without its dashes, for example `tests.unit` or `dry-run`. */
  readonly name: string;
  /** The position of its value in the input. */
  readonly path: readonly string[];
  readonly kind: FlagKind;
  /** Whether the flag can be repeated; each adds a value. */
  readonly repeats: boolean;
  /** All allowed values. */
  readonly choices: readonly unknown[] | undefined;
  /** Whether every call requires it. */
  readonly required: boolean;
  readonly description: string;
}

/** Nested objects become flags down to this depth; below it, they are JSON. */
const depthMax = 4;

export function flagsOf(schema: ToolDeclaration['input_schema']): readonly ToolFlag[] {
  if (schema === undefined) return [];
  return fieldsOf(schema, {root: schema, path: [], isRequired: true});
}

export function flagName(path: readonly string[]): string {
  return path.map((part) => part.replaceAll('_', '-')).join('.');
}

interface Place {
  /** The target of `#/…`. */
  readonly root: Schema;
  readonly path: readonly string[];
  /** Whether the object itself is required. */
  readonly isRequired: boolean;
}

function fieldsOf(schema: Schema, {root, path, isRequired}: Place): readonly ToolFlag[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  return Object.entries(record(schema['properties'])).flatMap(([key, property]) =>
    flagsAt(record(property), {root, path: [...path, key], isRequired: isRequired && required.includes(key)}),
  );
}

function flagsAt(given: Schema, place: Place): readonly ToolFlag[] {
  const {root, path, isRequired} = place;
  const schema = followReference(given, root);
  const description = textOf(given['description']) ?? textOf(schema['description']) ?? '';
  if (hasFields(schema) && path.length < depthMax) return fieldsOf(schema, place);
  const repeats = typesOf(schema).includes('array');
  const value = repeats ? followReference(record(schema['items']), root) : schema;
  const choices = choicesOf(value);
  return [
    {
      name: flagName(path),
      path,
      kind: kindOf(value),
      repeats,
      choices,
      required: isRequired,
      description,
    },
  ];
}

function hasFields(schema: Schema): boolean {
  return typesOf(schema).every((type) => type === 'object') && Object.keys(record(schema['properties'])).length > 0;
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum'];
  return 'const' in schema ? [schema['const']] : undefined;
}

function kindOf(schema: Schema): FlagKind {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.includes('string')) return 'text';
  const [type, ...others] = types;
  if (others.length > 0) return 'any';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  return type === 'object' || type === 'array' ? 'json' : 'any';
}

function typesOf(schema: Schema): readonly string[] {
  return [schema['type']].flat().filter((type) => typeof type === 'string');
}

function record(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

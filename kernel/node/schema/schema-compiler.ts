// Compiles the JSON Schemas that packs bring (2020-12) into validators whose findings a caller can act on.
// Ajv is loaded with the first schema: a start that compiles none does not pay for it.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {describeSchemaErrors, normalizePath, schemaIssues, type ValueValidator} from '@lumenflow/kernel/adapters';
import type {SchemaError} from '@lumenflow/schemas/validators';
import type {Ajv2020} from 'ajv/dist/2020.js';
import type {FormatsPlugin} from 'ajv-formats';
import {createRequire} from 'node:module';
import {createPatternCompiler} from './schema-pattern.ts';

/** The location of a JSON pointer into the schema, for problems. */
export type LocateInSchema = (pointer: string) => string;

export interface SchemaCompiler {
  /** Checks and compiles a schema, so that every problem in it shows. */
  compile(schema: object, locate: LocateInSchema): Outcome<ValueValidator>;
  /** For a schema that compiled before: the work is put off until the first value. */
  compileLater(schema: object): ValueValidator;
}

const schemaLengthMax = 256 * 1024;
/** Values larger than this are checked up to the first mistake only. */
const thoroughNodesMax = 2000;

export function createSchemaCompiler(): SchemaCompiler {
  const engine = createEngine();
  const compile: SchemaCompiler['compile'] = (schema, locate) => {
    const problem = engine().check(schema, locate);
    return problem ? failed(problem) : ok(createValidator(schema, engine));
  };
  return {compile, compileLater: (schema) => createValidator(schema, engine)};
}

interface Validation {
  (value: unknown): unknown;
  errors?: readonly SchemaError[] | null | undefined;
}

interface Engine {
  check(schema: object, locate: LocateInSchema): Problem | undefined;
  /** Stops at the first mistake. */
  quick(schema: object): Validation;
  /** Lists all mistakes. */
  thorough(schema: object): Validation;
}

/** Two checks in one: a quick one for the hot path, and a thorough one for values that the quick one rejects. */
function createValidator(schema: object, engine: () => Engine): ValueValidator {
  let quick: Validation | undefined;
  let thorough: Validation | undefined;
  return (value) => {
    try {
      quick ??= engine().quick(schema);
      if (quick(value) === true) return [];
      if (countNodes(value) > thoroughNodesMax) return schemaIssues(quick.errors);
      thorough ??= engine().thorough(schema);
      thorough(value);
      return schemaIssues(thorough.errors ?? quick.errors);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{pointer: '', message: `the value cannot be checked against its schema: ${reason}`}];
    }
  };
}

function createEngine(): () => Engine {
  let engine: Engine | undefined;
  return () => (engine ??= loadEngine());
}

function loadEngine(): Engine {
  const require = createRequire(import.meta.url);
  const {Ajv2020: AjvClass} = require('ajv/dist/2020.js') as {Ajv2020: typeof Ajv2020};
  const addFormats = require('ajv-formats') as FormatsPlugin;
  const compilePattern = createPatternCompiler();
  const warnings: string[] = [];
  const create = (allErrors: boolean): Ajv2020 => {
    const ajv = new AjvClass({
      strict: false,
      allErrors,
      verbose: true,
      validateSchema: false,
      addUsedSchema: false,
      logger: {log: ignore, error: ignore, warn: (text: unknown) => warnings.push(String(text))},
      // What it takes to make the code smaller is a third of compiling, and buys nothing that a value's check would show.
      code: {optimize: false, regExp: Object.assign(compilePattern, {code: 'compilePattern'})},
    });
    addFormats(ajv);
    // A string of this format is made canonical before it is validated; see kernel/paths.
    ajv.addFormat('workspace-path', (text: string) => normalizePath(text) !== undefined);
    return ajv;
  };
  const [quick, thorough] = [create(false), create(true)];
  return {
    quick: (schema) => quick.compile(schema) as Validation,
    thorough: (schema) => thorough.compile(schema) as Validation,
    check: (schema, locate) => {
      warnings.length = 0;
      return checkSchema(schema, locate, quick) ?? unknownFormat(warnings, locate);
    },
  };
}

function checkSchema(schema: object, locate: LocateInSchema, ajv: Ajv2020): Problem | undefined {
  if (JSON.stringify(schema).length > schemaLengthMax) {
    return schemaProblem(`the schema is larger than ${schemaLengthMax} characters`, locate(''));
  }
  try {
    if (ajv.validateSchema(schema) !== true) {
      const [finding] = describeSchemaErrors((ajv.errors ?? []) as readonly SchemaError[]);
      const pointer = finding?.pointer ?? '';
      return schemaProblem(finding?.message ?? 'it does not match JSON Schema 2020-12', locate(pointer), pointer);
    }
    if (!('$async' in ajv.compile(schema))) return undefined;
    return schemaProblem('`$async` is not part of JSON Schema', locate('/$async'), '/$async');
  } catch (error) {
    return schemaProblem(error instanceof Error ? error.message : String(error), locate(''));
  }
}

function unknownFormat(warnings: readonly string[], locate: LocateInSchema): Problem | undefined {
  for (const warning of warnings) {
    const match = /^unknown format "(?<name>.*)" ignored in schema at path "#?(?<path>.*)"$/u.exec(warning);
    if (!match?.groups) continue;
    const pointer = match.groups['path'] ?? '';
    return schemaProblem(`the format \`${match.groups['name'] ?? ''}\` is not known`, locate(pointer), pointer);
  }
  return undefined;
}

function schemaProblem(reason: string, where: string, pointer?: string): Problem {
  return {
    code: 'SCHEMA_INVALID',
    severity: 'error',
    message: `the JSON Schema cannot be used: ${reason}`,
    where,
    pointer,
  };
}

function countNodes(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0 && count <= thoroughNodesMax) {
    const next = open.pop();
    count += 1;
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next).slice(0, thoroughNodesMax));
  }
  return count;
}

function ignore(): void {
  // Ajv reports by its results; nothing is written to the host's console.
}

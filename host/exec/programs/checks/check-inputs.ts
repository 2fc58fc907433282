// The inputs of a program: their schemas, and the values of one run with the defaults.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {Program} from '@lumenflow/schemas';
import type {CheckContext} from './check-context.ts';
import type {JsonSchema} from './json-schema.ts';

/** Of all inputs together. */
export function inputsSchema({inputs = {}}: Pick<Program, 'inputs'>): JsonSchema {
  const required = Object.entries(inputs).flatMap(([name, schema]) => (hasDefault(schema) ? [] : [name]));
  return {type: 'object', properties: inputs, required, additionalProperties: false};
}

/** The first example of each input that has some, if no other is required. */
export function exampleInputs({inputs = {}}: Pick<Program, 'inputs'>): object | undefined {
  const given = Object.entries(inputs).flatMap(([name, schema]): readonly (readonly [string, unknown])[] => {
    const examples = schema?.['examples'];
    return Array.isArray(examples) && examples.length > 0 ? [[name, examples[0]]] : [];
  });
  const known = new Set(given.map(([name]) => name));
  const isWhole = Object.entries(inputs).every(([name, schema]) => hasDefault(schema) || known.has(name));
  return isWhole ? Object.fromEntries(given) : undefined;
}

export function checkInputSchemas(context: CheckContext, {inputs = {}}: Program): void {
  const compiler = createSchemaCompiler();
  for (const [name, schema = {}] of Object.entries(inputs)) {
    const pointer = `/inputs/${name}`;
    const compiled = compiler.compile(schema, () => pointer);
    if (!compiled.ok) context.report(pointer, `it is not a valid JSON Schema: ${compiled.problem.message}`);
    else if (hasDefault(schema)) {
      for (const issue of compiled.value(schema['default'])) {
        context.report(`${pointer}/default${issue.pointer}`, `the default does not match its schema: ${issue.message}`);
      }
    }
  }
}

/** Fails with what does not match. */
export function readInputs(program: Program, given: unknown): Outcome<Readonly<Record<string, unknown>>, string> {
  const issues = createSchemaCompiler().compileLater(inputsSchema(program))(given);
  if (issues.length > 0)
    return failed(issues.map(({pointer, message}) => `${pointer || 'inputs'}: ${message}`).join('; '));
  const defaults = Object.entries(program.inputs ?? {}).flatMap(([name, schema]) =>
    hasDefault(schema) ? [[name, schema['default']] as const] : [],
  );
  return ok({...Object.fromEntries(defaults), ...(given as Readonly<Record<string, unknown>>)});
}

function hasDefault(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema !== undefined && Object.hasOwn(schema, 'default');
}

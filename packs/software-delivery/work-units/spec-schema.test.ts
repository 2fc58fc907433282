// A spec is described twice: by the schema of the file, and by the manifest's input schema. Both must agree.
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import schema from './wu-spec.schema.json' with {type: 'json'};

type Schema = Readonly<Record<string, unknown>>;
interface Tool {
  readonly name: string;
  readonly input_schema: {readonly properties: Readonly<Record<string, Schema>>};
}

const {tools} = parse(readFileSync(new URL('../manifest/wu.yaml', import.meta.url), 'utf8')) as {
  tools: readonly Tool[];
};
const inputOf = (name: string): Readonly<Record<string, Schema>> =>
  tools.find((tool) => tool.name === name)?.input_schema.properties ?? {};
const changes = (inputOf('wu:edit')['changes'] as {properties?: Readonly<Record<string, Schema>>}).properties ?? {};

/** Without descriptions, and with references resolved. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const {description: _, $ref: reference, ...rest} = value as Schema;
  if (typeof reference === 'string') {
    const name = reference.replace('#/$defs/', '') as keyof typeof schema.$defs;
    return bare(schema.$defs[name]);
  }
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, bare(inner)]));
}

describe.each(Object.entries(schema.properties))('%s', (field, declared) => {
  it('is equal in wu:create and in the file', () => {
    expect(bare(inputOf('wu:create')[field])).toEqual(bare(declared));
  });

  it.skipIf(field === 'id' || field === 'lane')('is equal in wu:edit, or null for an optional one', () => {
    const change = changes[field];
    const wanted = schema.required.includes(field) ? bare(declared) : {anyOf: [bare(declared), {type: 'null'}]};
    expect(bare(change)).toEqual(wanted);
  });
});

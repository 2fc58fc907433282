// A page of reference from JSON Schemas: a table of keys for each definition.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../tidy/repository.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema | true>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
}

interface Definition {
  readonly name: string;
  readonly schema: Schema;
  /** The page of its table. */
  readonly page: string;
}

/** The location of a schema file's objects. */
const pageOfFile: Readonly<Record<string, string>> = {
  'manifest.schema.json': 'manifest.md',
  'sandbox-profile.schema.json': 'manifest.md',
  'workspace.schema.json': 'workspace.md',
  'scope.schema.json': 'workspace.md',
  'policy.schema.json': 'policy.md',
  'change-set.schema.json': 'policy.md',
};

/** Markdown of a table for each object of `page` that the definitions `roots` lead to. Throws Error for a name that no file defines. */
export function writeSchemaSections(page: string, roots: readonly string[]): string {
  const definitions = readDefinitions();
  const reader = createReader(page, definitions);
  const written = new Map<string, string>();
  const open = [...roots];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`no schema defines \`${name}\``);
    if (written.has(name)) continue;
    const {schema} = definition;
    written.set(name, definition.page === page && isTable(schema) ? reader.section(name, schema) : '');
    open.push(...referencesIn(schema));
  }
  return [...written.values()].filter((text) => text !== '').join('\n');
}

/** The names of the definitions that a schema refers to, in its order. */
function referencesIn(schema: Schema): readonly string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/([a-z_]+)"/g)].map(([, name = '']) => name);
}

const isTable = ({properties}: Schema): boolean => properties !== undefined;

function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
}

function createReader(page: string, definitions: ReadonlyMap<string, Definition>) {
  /** The schema that is referred to, by its name. */
  function follow(schema: Schema): Definition | {readonly schema: Schema} {
    return definitions.get(schema.$ref?.split('/').at(-1) ?? '') ?? {schema};
  }

  function linkTo({name, page: target}: Definition): string {
    const title = titleOf(name);
    return `[${title}](${target === page ? '' : target}#${title.toLowerCase().replaceAll(' ', '-')})`;
  }

  function section(name: string, schema: Schema): string {
    const intro = schema.description === undefined ? '' : `${schema.description}\n\n`;
    return `## ${titleOf(name)}\n\n${intro}| key | is | says |\n|---|---|---|\n${rows(schema, '').join('\n')}\n`;
  }

  function typeOf(given: Schema | true): string {
    if (given === true) return 'JSON';
    const followed = follow(given);
    const {schema} = followed;
    if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join(' or ');
    if ('name' in followed && isTable(schema)) return linkTo(followed);
    if (schema.const !== undefined) return code(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
    if (schema.type === 'array') return schema.items === undefined ? 'list' : `list of ${typeOf(schema.items)}`;
    if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
      return `map to ${typeOf(schema.additionalProperties)}`;
    }
    return [schema.type ?? 'anything', boundsOf(schema)].filter((part) => part !== '').join(' ');
  }

  function rows(definition: Schema, prefix: string): readonly string[] {
    return Object.entries(definition.properties ?? {}).flatMap(([key, given]) => {
      const schema = given === true ? {description: 'Any value.'} : given;
      const isRequired = definition.required?.includes(key) === true;
      const inline = schema.properties === undefined ? [] : rows(schema, `${prefix}${key}.`);
      const says = schema.description ?? follow(schema).schema.description ?? '';
      const cells = [`\`${prefix}${key}\`${isRequired ? ' (required)' : ''}`, typeOf(given), escape(says)];
      return [`| ${cells.join(' | ')} |`, ...inline];
    });
  }

  return {section};
}

function boundsOf({minimum, maximum, maxLength, pattern, examples}: Schema): string {
  const range = minimum === undefined ? '' : maximum === undefined ? `from ${minimum}` : `${minimum} to ${maximum}`;
  const length = maxLength === undefined ? '' : `of at most ${maxLength} characters`;
  const form =
    examples?.[0] !== undefined
      ? `like ${code(examples[0])}`
      : pattern === undefined
        ? ''
        : `matching ${code(pattern)}`;
  return [range, length, form].filter((part) => part !== '').join(' ');
}

function code(value: unknown): string {
  return `\`${escape(String(value))}\``;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}

function readDefinitions(): ReadonlyMap<string, Definition> {
  return new Map(
    Object.entries(pageOfFile).flatMap(([file, page]) => {
      const {$defs} = JSON.parse(readFileSync(join(root, 'schemas', file), 'utf8')) as {$defs: Record<string, Schema>};
      return Object.entries($defs).map(([name, schema]): [string, Definition] => [name, {name, schema, page}]);
    }),
  );
}

// Collects schema definitions as OpenAPI components: the named ones and all that they refer to.
import {createRequire} from 'node:module';
import type {DefinitionName} from '../route.ts';

type Json = Readonly<Record<string, unknown>>;

const homeFile = 'http.schema.json';
const reference = /^([a-z-]+\.schema\.json)?#\/\$defs\/(\w+)$/;

/** The reference to the definition in the description. */
export function componentOf(name: DefinitionName): {readonly $ref: string} {
  return {$ref: `#/components/schemas/${locate(name, homeFile).definition}`};
}

/** Returns definitions by name, which is unique across files. Throws for a missing definition. */
export function readDefinitions(names: readonly DefinitionName[]): Json {
  const require = createRequire(import.meta.url);
  const found = new Map<string, unknown>();
  const waiting = names.map((name) => locate(name, homeFile));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const {file, definition} = next;
    if (found.has(definition)) continue;
    const schema = (require(`@lumenflow/schemas/${file}`) as {readonly $defs: Json}).$defs[definition];
    if (schema === undefined) throw new Error(`there is no definition \`${definition}\` in ${file}`);
    const described: unknown = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
      if (key !== '$ref' || typeof value !== 'string') return value;
      const target = locate(value, file);
      waiting.push(target);
      return `#/components/schemas/${target.definition}`;
    });
    found.set(definition, described);
  }
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

interface Place {
  readonly file: string;
  readonly definition: string;
}

function locate(name: string, from: string): Place {
  const [, file = from, definition = name] = reference.exec(name) ?? [];
  return {file, definition};
}

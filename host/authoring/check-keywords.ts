// Finds misspelt keywords in the JSON Schemas of tools. JSON Schema ignores a keyword that it does not define, so a misspelt bound
// bounds nothing.
import {nearestName, type LoadedPack, type Problem} from '@lumenflow/kernel';
import {dataKeywords, isSchemaObject, mapKeywords} from '../packs/schemas/schema-keywords.ts';

/** A schema, or a list of schemas. */
const schemaKeywords: readonly string[] = [
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
];
const plainKeywords: readonly string[] =
  `$schema $id $anchor $dynamicAnchor $ref $dynamicRef $vocabulary $comment title description deprecated readOnly writeOnly
  type format pattern minLength maxLength contentEncoding contentMediaType minimum maximum exclusiveMinimum exclusiveMaximum
  multipleOf minItems maxItems uniqueItems minContains maxContains required dependentRequired minProperties maxProperties
  discriminator x-access x-recursive x-names-tools`.split(/\s+/u);
const known: ReadonlySet<string> = new Set([...schemaKeywords, ...plainKeywords, ...mapKeywords, ...dataKeywords]);
/** Annotations such as `note` are too near to the short ones. */
const candidates = [...known].filter((name) => name.length >= 4);

export function checkKeywords({tools, where}: Pick<LoadedPack, 'tools' | 'where'>): readonly Problem[] {
  return tools.flatMap(({declaration}, index) =>
    (['input_schema', 'output_schema'] as const).flatMap((key) =>
      misspelt(declaration[key], `/tools/${index}/${key}`).map(({pointer, name, near}): Problem => ({
        code: 'PACK_SCHEMA_KEYWORD_UNKNOWN',
        severity: 'warning',
        message: `JSON Schema has no keyword \`${name}\`, so it is ignored`,
        where: where(pointer),
        pointer,
        help: `did you mean \`${near}\`?`,
      })),
    ),
  );
}

interface Misspelt {
  readonly pointer: string;
  readonly name: string;
  readonly near: string;
}

function misspelt(schema: unknown, at: string): readonly Misspelt[] {
  if (Array.isArray(schema)) return schema.flatMap((item: unknown, index) => misspelt(item, `${at}/${index}`));
  if (!isSchemaObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, value]) => {
    const pointer = `${at}/${encoded(name)}`;
    if (mapKeywords.has(name) && isSchemaObject(value)) {
      return Object.entries(value).flatMap(([key, inner]) => misspelt(inner, `${pointer}/${encoded(key)}`));
    }
    if (schemaKeywords.includes(name)) return misspelt(value, pointer);
    const near = known.has(name) ? undefined : nearestName(name, candidates);
    return near === undefined ? [] : [{pointer, name, near}];
  });
}

function encoded(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

// TypeScript types of JSON Schemas.

export interface NamedSchema {
  /** Of its type. */
  readonly name: string;
  readonly schema: object;
}

interface Origin {
  /** Where references to files start from; without it, such references fail. */
  readonly folder?: string;
}

/** Rejects with code ERR_MODULE_NOT_FOUND where json-schema-to-typescript is not installed, and where it cannot read a schema. */
export async function schemaTypes(schemas: readonly NamedSchema[], {folder}: Origin): Promise<readonly string[]> {
  const {compile} = await import('json-schema-to-typescript');
  const texts: string[] = [];
  for (const {name, schema} of schemas) {
    const text = await compile({...schema, title: undefined}, name, {
      ...(folder !== undefined && {cwd: `${folder}/`}),
      bannerComment: '',
      style: {singleQuote: true, bracketSpacing: false, printWidth: 120},
      $refOptions: {resolve: {http: false, ...(folder === undefined && {file: false})}},
      // Definitions in several schemas can have the same name.
      customName: ({title}, key) =>
        key === undefined && title === undefined ? undefined : name + pascalCase(key ?? title),
    });
    texts.push(text.trim());
  }
  return texts;
}

export function pascalCase(text = ''): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/gu, (_, first: string) => first.toUpperCase());
}

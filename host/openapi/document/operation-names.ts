// Names operations of a document as verbs of tools: `listPets` becomes `list-pets`, an operation without an id is named after its
// method and path.
import {createHash} from 'node:crypto';

export interface NamedOperation {
  readonly id: string | undefined;
  readonly method: string;
  readonly path: string;
}

const digestLength = 6;

/** In the order of the operations. `lengthMax` is at least 8. */
export function operationNames(operations: readonly NamedOperation[], lengthMax: number): readonly string[] {
  const taken = new Set<string>();
  return operations.map((operation) => {
    const plain = kebab(operation.id ?? '') || kebab(`${operation.method}-${operation.path}`);
    const name = plain.length > lengthMax || taken.has(plain) ? withDigest(plain, operation, lengthMax) : plain;
    taken.add(name);
    return name;
  });
}

function withDigest(plain: string, {method, path}: NamedOperation, lengthMax: number): string {
  const digest = createHash('sha256').update(`${method} ${path}`).digest('hex').slice(0, digestLength);
  return `${plain.slice(0, lengthMax - digestLength - 1).replace(/-+$/u, '')}-${digest}`;
}

function kebab(text: string): string {
  return (
    text
      .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
      // `getAPIKeys`, but not the plural in `getAPIs`.
      .replaceAll(/([A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))/gu, '$1-')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/gu, '-')
      .replaceAll(/^[^a-z]+|-+$/gu, '')
  );
}

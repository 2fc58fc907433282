// Reads parts of an OpenAPI document by their JSON pointers. Only references within the document are followed.

export type DocumentNode = Readonly<Record<string, unknown>>;

/** A document whose parts contradict OpenAPI, or that refers to other files. */
export class DocumentFault extends Error {
  readonly pointer: string;
  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

export interface OpenapiDocument {
  readonly root: DocumentNode;
  /** The node itself, or what its `$ref` leads to; an empty one for anything but an object. */
  follow(node: unknown): DocumentNode;
  /** The value at a reference such as `#/components/schemas/Pet`. */
  at(reference: string): unknown;
}

const referencesMax = 50;

export function openDocument(root: DocumentNode): OpenapiDocument {
  const at = (reference: string): unknown => {
    if (!reference.startsWith('#')) {
      throw new DocumentFault(reference, `\`${reference}\` is in another file`);
    }
    let value: unknown = root;
    for (const part of reference.slice(1).split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
      if (!isThere) throw new DocumentFault(reference, `\`${reference}\` is not in the document`);
      value = (value as DocumentNode)[key];
    }
    return value;
  };
  return {
    root,
    at,
    follow(node) {
      let found = nodeOf(node);
      for (let count = 0; typeof found['$ref'] === 'string'; count++) {
        if (count === referencesMax) throw new DocumentFault(found['$ref'], `\`${found['$ref']}\` refers to itself`);
        found = nodeOf(at(found['$ref']));
      }
      return found;
    },
  };
}

export function nodeOf(value: unknown): DocumentNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as DocumentNode) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

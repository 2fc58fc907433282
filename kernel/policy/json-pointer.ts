// JSON pointers (RFC 6901) into a request's arguments and metadata.

export function parseJsonPointer(pointer: string): readonly string[] | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)*$/.test(pointer)) return undefined;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function escapePointerPart(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Undefined when there is nothing; what a value inherits from its prototype is not there. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

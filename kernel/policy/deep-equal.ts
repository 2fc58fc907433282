// Equality of JSON values: by value, order of keys aside. A key whose value is undefined is not there.

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  }
  const entries = Object.entries(a).filter(([, value]) => value !== undefined);
  const other = new Map<string, unknown>(Object.entries(b).filter(([, value]) => value !== undefined));
  return (
    entries.length === other.size && entries.every(([key, value]) => other.has(key) && deepEqual(value, other.get(key)))
  );
}

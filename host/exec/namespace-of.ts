/** The part of a tool's name before the colon; a bare verb is its own namespace. */
export function namespaceOf(name: string): string {
  return name.split(':', 1)[0] ?? name;
}

/** A value in a form or an address: texts as they are, others as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

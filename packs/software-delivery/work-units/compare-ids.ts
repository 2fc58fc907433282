// Numeric order: `WU-2` before `WU-10`.
const collator = new Intl.Collator('en', {numeric: true});

export function compareIds(a: string, b: string): number {
  return collator.compare(a, b);
}

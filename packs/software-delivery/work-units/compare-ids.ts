/** The order in which people count: `WU-2` before `WU-10`. */
export function compareIds(a: string, b: string): number {
  return a.localeCompare(b, 'en', {numeric: true});
}

// Ids of work units: the workspace's prefix and a number that is never reused.

const defaultPrefix = 'WU';

export function wuId(number: number, prefix: string = defaultPrefix): string {
  return `${prefix}-${number}`;
}

/** Returns 0 for anything else. */
export function wuNumber(id: string): number {
  return Number(/^[A-Z][A-Z0-9]{0,9}-([1-9]\d{0,8})$/.exec(id)?.[1] ?? 0);
}

// Ids of work units: a prefix of the workspace's own and a number that is given once.

const defaultPrefix = 'WU';

export function wuId(number: number, prefix: string = defaultPrefix): string {
  return `${prefix}-${number}`;
}

/** 0 for what is no such id. */
export function wuNumber(id: string): number {
  return Number(/^[A-Z][A-Z0-9]{0,9}-([1-9]\d{0,8})$/.exec(id)?.[1] ?? 0);
}

// A number with what it counts: `1 file`, `2 files`.

export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}

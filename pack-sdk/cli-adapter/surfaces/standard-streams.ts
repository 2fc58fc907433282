// Which of a child's streams are the standard streams of its parent.

export interface Inherited {
  /** The child's descriptor. */
  readonly at: number;
  /** The parent's. */
  readonly fd: 0 | 1 | 2;
}

/** `stdio` as child_process takes it. */
export function inheritedBy(stdio: unknown): readonly Inherited[] {
  return entriesOf(stdio).flatMap((entry, at) => {
    const fd = entry === 'inherit' ? at : descriptorOf(entry);
    return fd === 0 || fd === 1 || fd === 2 ? [{at, fd}] : [];
  });
}

/** The same with something else in place of what is inherited. */
export function withStdio(
  stdio: unknown,
  inherited: readonly Inherited[],
  replace: (inherited: Inherited) => unknown,
): readonly unknown[] {
  const entries = [...entriesOf(stdio)];
  for (const one of inherited) entries[one.at] = replace(one);
  return entries;
}

function entriesOf(stdio: unknown): readonly unknown[] {
  return Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
}

function descriptorOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'fd') : entry;
}

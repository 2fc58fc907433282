// Records by key, as a fold leaves them. Most are closed: they never change again and are rarely read. After a restart they stay lines of
// a text, sorted by key, and are parsed when they are needed. So a start does not depend on their number.

/** What readers of a table see. */
export interface Records<V> {
  get(key: string): V | undefined;
  has(key: string): boolean;
  /** All of them, in the order in which they appeared. */
  values(): Iterable<V>;
  /** Those that are not closed. */
  open(): Iterable<V>;
}

/** A record with its key and its position among all. */
type Row<V> = readonly [key: string, order: number, value: V];

/** A table as JSON, apart from the closed records. */
export interface TableState<V> {
  readonly next: number;
  readonly open: readonly Row<V>[];
}

export class RecordTable<V> implements Records<V> {
  readonly #isOpen: (value: V) => boolean;
  /** Rows that were closed before the restart, a line each; those in `#rows` replace them. */
  #closed: string;
  #rows: Map<string, Row<V>>;
  readonly #open: Map<string, V>;
  #next: number;

  constructor(isOpen: (value: V) => boolean, {next, open}: TableState<V> = {next: 0, open: []}, closed = '') {
    this.#isOpen = isOpen;
    this.#closed = closed;
    this.#next = next;
    this.#rows = new Map(open.map((row) => [row[0], row]));
    this.#open = new Map(open.map(([key, , value]) => [key, value]));
  }

  get(key: string): V | undefined {
    return this.#row(key)?.[2];
  }

  has(key: string): boolean {
    return this.#row(key) !== undefined;
  }

  set(key: string, value: V): void {
    const order = this.#row(key)?.[1] ?? this.#next++;
    this.#rows.set(key, [key, order, value]);
    if (this.#isOpen(value)) this.#open.set(key, value);
    else this.#open.delete(key);
  }

  values(): Iterable<V> {
    this.#parseAll();
    return [...this.#rows.values()].map(([, , value]) => value);
  }

  open(): Iterable<V> {
    return this.#open.values();
  }

  state(): TableState<V> {
    const open = [...this.#rows.values()].filter(([, , value]) => this.#isOpen(value));
    return {next: this.#next, open: open.toSorted(byOrder)};
  }

  /** The closed rows: sorted lines, each with its newline. */
  closedLines(): string {
    const before = this.#closed.split('\n').filter((line) => line !== '' && !this.#rows.has(keyOf(line)));
    const since = [...this.#rows.values()].filter(([, , value]) => !this.#isOpen(value));
    const lines = [...before, ...since.map((row) => JSON.stringify(row))];
    return lines
      .toSorted()
      .map((line) => `${line}\n`)
      .join('');
  }

  #row(key: string): Row<V> | undefined {
    return this.#rows.get(key) ?? this.#closedRow(key);
  }

  #closedRow(key: string): Row<V> | undefined {
    if (this.#closed === '') return undefined;
    const prefix = `[${JSON.stringify(key)},`;
    const at = firstLineFrom(this.#closed, prefix);
    if (!this.#closed.startsWith(prefix, at)) return undefined;
    return JSON.parse(this.#closed.slice(at, this.#closed.indexOf('\n', at))) as Row<V>;
  }

  #parseAll(): void {
    if (this.#closed === '') return;
    const closed = JSON.parse(`[${this.#closed.slice(0, -1).replaceAll('\n', ',')}]`) as Row<V>[];
    const rows = [...closed.filter(([key]) => !this.#rows.has(key)), ...this.#rows.values()];
    this.#rows = new Map(rows.toSorted(byOrder).map((row) => [row[0], row]));
    this.#closed = '';
  }
}

function byOrder(one: Row<unknown>, other: Row<unknown>): number {
  return one[1] - other[1];
}

/** The start of the first of some sorted lines that is not before a text. */
function firstLineFrom(lines: string, text: string): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const start = middle === 0 ? 0 : lines.lastIndexOf('\n', middle - 1) + 1;
    const end = lines.indexOf('\n', start);
    if (lines.slice(start, end) < text) from = end + 1;
    else to = start;
  }
  return from;
}

/** A key is a JSON string, which has no unescaped quote. */
function keyOf(line: string): string {
  return JSON.parse(/^\["(?:[^"\\]|\\.)*"/u.exec(line)?.[0].slice(1) ?? '""') as string;
}

// Reads the sections of a WebAssembly module as far as they must be known before it is compiled: what it imports and exports,
// and the bounds of its memories and tables. Everything else is V8's to validate.

/** Throws for bytes that are not a module. */
export class InvalidModule extends Error {}

export interface Bounds {
  readonly min: number;
  readonly max: number | undefined;
  /** Shared between threads, or addressed by 64 bits: neither is supported. */
  readonly isUnusual: boolean;
}

export interface ModuleImport {
  readonly module: string;
  readonly name: string;
  readonly kind: ExternKind;
}

export interface ModuleExport {
  readonly name: string;
  readonly kind: ExternKind;
}

export type ExternKind = 'function' | 'table' | 'memory' | 'global' | 'tag';

/** A section as it is in the file. `start` and `end` enclose its contents, `head` is where its id is. */
export interface Section {
  readonly id: number;
  readonly head: number;
  readonly start: number;
  readonly end: number;
}

export const sectionIds = {type: 1, import: 2, table: 4, memory: 5, export: 7, code: 10} as const;

const kinds: readonly ExternKind[] = ['function', 'table', 'memory', 'global', 'tag'];
const headerBytes = 8;
const functionForm = 0x60;

export function readSections(bytes: Uint8Array): readonly Section[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerBytes || view.getUint32(0) !== 0x0061736d)
    throw new InvalidModule('it is not a WebAssembly file');
  if (view.getUint16(6, true) === 1) {
    throw new InvalidModule('it is a component: make a module of it, or a JavaScript handler with `jco transpile`');
  }
  if (view.getUint32(4, true) !== 1) throw new InvalidModule('its version is not 1');
  const reader = new ModuleReader(bytes, headerBytes);
  const sections: Section[] = [];
  while (!reader.isAtEnd) {
    const head = reader.offset;
    const id = reader.byte();
    const size = reader.unsigned();
    sections.push({id, head, start: reader.offset, end: reader.offset + size});
    reader.skip(size);
  }
  return sections;
}

/** A cursor over the bytes of a module. Each of its methods throws InvalidModule at the end of the bytes. */
export class ModuleReader {
  offset: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  get isAtEnd(): boolean {
    return this.offset >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.offset];
    if (value === undefined) throw new InvalidModule('it is cut short');
    this.offset += 1;
    return value;
  }

  /** LEB128, up to 53 bits: more is not a size of anything. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 53; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new InvalidModule('it contains a number that is too large');
  }

  skip(size: number): void {
    if (this.offset + size > this.#bytes.length) throw new InvalidModule('it is cut short');
    this.offset += size;
  }

  name(): string {
    const size = this.unsigned();
    const start = this.offset;
    this.skip(size);
    return new TextDecoder().decode(this.#bytes.subarray(start, start + size));
  }

  bounds(): Bounds {
    const flags = this.byte();
    const min = this.unsigned();
    return {min, max: (flags & 1) === 0 ? undefined : this.unsigned(), isUnusual: flags > 1};
  }

  kind(): ExternKind {
    const kind = kinds[this.byte()];
    if (kind === undefined) throw new InvalidModule('it contains an unknown kind of import or export');
    return kind;
  }

  /** A value type or a reference type; a reference to a type of the module has an index. */
  type(): Uint8Array {
    const start = this.offset;
    const type = this.byte();
    if (type === 0x63 || type === 0x64) this.unsigned();
    return this.#bytes.subarray(start, this.offset);
  }
}

/** Throws for a type that is not a function's. Objects of such types are in the heap of the thread, which no limit of a call counts. */
export function rejectObjectTypes(bytes: Uint8Array, sections: readonly Section[]): void {
  readList(bytes, sections, sectionIds.type, (reader) => {
    if (reader.byte() !== functionForm) {
      throw new InvalidModule('it has types of objects that are garbage-collected, which is not supported');
    }
    for (const _ of ['parameters', 'results']) for (let left = reader.unsigned(); left > 0; left -= 1) reader.type();
  });
}

export function readImports(bytes: Uint8Array, sections: readonly Section[]): readonly ModuleImport[] {
  return readList(bytes, sections, sectionIds.import, (reader) => {
    const found = {module: reader.name(), name: reader.name(), kind: reader.kind()};
    skipDescription(reader, found.kind);
    return found;
  });
}

export function readExports(bytes: Uint8Array, sections: readonly Section[]): readonly ModuleExport[] {
  return readList(bytes, sections, sectionIds.export, (reader) => {
    const found = {name: reader.name(), kind: reader.kind()};
    reader.unsigned();
    return found;
  });
}

export interface FunctionSize {
  readonly bytes: number;
  /** Declared ones, without parameters. */
  readonly locals: number;
}

export function readFunctionSizes(bytes: Uint8Array, sections: readonly Section[]): readonly FunctionSize[] {
  return readList(bytes, sections, sectionIds.code, (reader) => {
    const size = reader.unsigned();
    const end = reader.offset + size;
    let locals = 0;
    for (let left = reader.unsigned(); left > 0; left -= 1) {
      locals += reader.unsigned();
      reader.type();
    }
    reader.skip(end - reader.offset);
    return {bytes: size, locals};
  });
}

function readList<Item>(
  bytes: Uint8Array,
  sections: readonly Section[],
  id: number,
  read: (reader: ModuleReader) => Item,
): readonly Item[] {
  return sections
    .filter((section) => section.id === id)
    .flatMap(({start, end}) => {
      const reader = new ModuleReader(bytes.subarray(0, end), start);
      // Every item has at least a byte, so a forged count ends with the section.
      const items: Item[] = [];
      for (let left = reader.unsigned(); left > 0; left -= 1) items.push(read(reader));
      return items;
    });
}

function skipDescription(reader: ModuleReader, kind: ExternKind): void {
  if (kind === 'function') reader.unsigned();
  else if (kind === 'memory') reader.bounds();
  else if (kind === 'table') {
    reader.type();
    reader.bounds();
  } else {
    // A global's type and mutability, or a tag's attribute and type.
    reader.type();
    reader.unsigned();
  }
}

// Rewrites the maximum of a module's memories and tables, so that V8 itself refuses what exceeds the limit of a call. Without it a
// module can grow its memory to 4 GiB, whatever the limits of its thread.
import {
  InvalidModule,
  ModuleReader,
  readSections,
  rejectObjectTypes,
  sectionIds,
  type Bounds,
  type Section,
} from './read-sections.ts';

/** The module needs more than the limit before it has done anything. */
export class ModuleTooLarge extends Error {}

export const pageBytes = 65_536;
/** Of V8, for an entry of a table. */
const entryBytes = 32;
/** Of one memory, as the format allows. */
const pagesMax = 65_536;
const itemsMax = 1000;

/** `memoryBytes`: for its memories and tables together. Tables keep the size that they begin with. */
export function boundModule(bytes: Uint8Array, memoryBytes: number): Uint8Array {
  const sections = readSections(bytes);
  rejectObjectTypes(bytes, sections);
  const tables = itemsOf(bytes, sections, sectionIds.table, readTable);
  const memories = itemsOf(bytes, sections, sectionIds.memory, (reader) => reader.bounds());
  const bounds = [...tables.map((table) => table.bounds), ...memories];
  if (bounds.some(({isUnusual}) => isUnusual)) {
    throw new InvalidModule(
      'it has a memory or a table that is shared or addressed by 64 bits, which is not supported',
    );
  }
  const entries = tables.reduce((sum, table) => sum + table.bounds.min, 0);
  const pages = memories.reduce((sum, {min}) => sum + min, 0);
  const pagesAllowed = Math.floor((memoryBytes - entries * entryBytes) / pageBytes);
  if (pages > pagesAllowed) {
    throw new ModuleTooLarge(`its memories and tables need more than ${memoryBytes} bytes before it has begun`);
  }
  return replaceSections(bytes, sections, {
    [sectionIds.table]: tables.map(({type, bounds: {min}}) => [...type, ...written(min, min)]),
    [sectionIds.memory]: withMaximum(memories, pagesAllowed - pages),
  });
}

/** The first memories may grow at the expense of later ones: modules have one. */
function withMaximum(memories: readonly Bounds[], pagesLeft: number): readonly (readonly number[])[] {
  let left = pagesLeft;
  return memories.map(({min, max = pagesMax}) => {
    const more = Math.max(0, Math.min(left, max - min));
    left -= more;
    return written(min, min + more);
  });
}

interface Table {
  readonly type: Uint8Array;
  readonly bounds: Bounds;
}

function readTable(reader: ModuleReader): Table {
  const type = reader.type();
  // Entries that cannot be null have an initial value, an expression.
  if (type[0] === 0x40) throw new InvalidModule('it has a table with an initial value, which is not supported');
  return {type, bounds: reader.bounds()};
}

function itemsOf<Item>(
  bytes: Uint8Array,
  sections: readonly Section[],
  id: number,
  read: (reader: ModuleReader) => Item,
): readonly Item[] {
  const [section, ...others] = sections.filter((candidate) => candidate.id === id);
  if (section === undefined) return [];
  const reader = new ModuleReader(bytes.subarray(0, section.end), section.start);
  const count = reader.unsigned();
  if (others.length > 0 || count > itemsMax) throw new InvalidModule('it has too many memories or tables');
  return Array.from({length: count}, () => read(reader));
}

type Replacements = Readonly<Record<number, readonly (readonly number[])[]>>;

function replaceSections(bytes: Uint8Array, sections: readonly Section[], items: Replacements): Uint8Array {
  const parts: Uint8Array[] = [bytes.subarray(0, sections[0]?.head)];
  for (const {id, head, end} of sections) {
    const now = items[id];
    if (now === undefined) parts.push(bytes.subarray(head, end));
    else {
      const contents = [...unsigned(now.length), ...now.flat()];
      parts.push(Uint8Array.of(id, ...unsigned(contents.length), ...contents));
    }
  }
  return Buffer.concat(parts);
}

/** Bounds with a maximum. */
function written(min: number, max: number): readonly number[] {
  return [1, ...unsigned(min), ...unsigned(max)];
}

/** As LEB128. */
function unsigned(value: number): readonly number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 0x80);
  }
}

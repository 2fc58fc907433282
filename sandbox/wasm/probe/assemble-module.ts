// Writes small WebAssembly modules: those that the probe tries, and those that tests attack the backend with.

export interface ModuleSource {
  /** Functions that it imports; they come before its own. */
  readonly imports?: readonly ImportSource[];
  readonly functions: readonly FunctionSource[];
  /** In pages; exported as `memory`. Default: one page. */
  readonly memory?: BoundsSource;
  /** In entries. */
  readonly table?: BoundsSource;
  /** Index of the function that runs when it is instantiated. */
  readonly start?: number;
  /** At address 0. */
  readonly data?: string;
}

export interface ImportSource {
  readonly module: string;
  readonly name: string;
  readonly parameters?: readonly ValueType[];
  readonly results?: readonly ValueType[];
}

export interface FunctionSource {
  /** Exported under this name. */
  readonly name: string;
  readonly body: Code;
  /** How many 64-bit integers it declares. */
  readonly locals?: number;
  readonly results?: readonly ValueType[];
}

export interface BoundsSource {
  readonly min: number;
  readonly max?: number;
}

export type Code = readonly number[];
export type ValueType = 'i32' | 'i64' | 'externref';

const typeCodes: Readonly<Record<ValueType, number>> = {i32: 0x7f, i64: 0x7e, externref: 0x6f};
const blockType = 0x40;
const header: Code = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

export function assembleModule({
  imports = [],
  functions,
  memory = {min: 1},
  table,
  start,
  data,
}: ModuleSource): Uint8Array {
  const signatures = [...imports, ...functions].map((one) => signature(one));
  const indexes = functions.map((_, index) => imports.length + index);
  return Uint8Array.from([
    ...header,
    ...section(1, signatures),
    ...section(
      2,
      imports.map(({module, name}, index) => [...text(module), ...text(name), 0, ...unsigned(index)]),
    ),
    ...section(3, indexes.map(unsigned)),
    ...(table === undefined ? [] : section(4, [[0x70, ...bounds(table)]])),
    ...section(5, [bounds(memory)]),
    ...section(7, [
      [...text('memory'), 2, 0],
      ...functions.map(({name}, index) => [...text(name), 0, ...unsigned(imports.length + index)]),
    ]),
    ...(start === undefined ? [] : sized(8, unsigned(start))),
    ...section(
      10,
      functions.map(({body, locals = 0}) => withSize([1, ...unsigned(locals), 0x7e, ...body, 0x0b])),
    ),
    ...(data === undefined ? [] : section(11, [[0, ...code.i32(0), 0x0b, ...text(data)]])),
  ]);
}

/** Instructions. */
export const code = {
  i32: (value: number): Code => [0x41, ...signed(BigInt(value))],
  i64: (value: bigint): Code => [0x42, ...signed(value)],
  call: (index: number): Code => [0x10, ...unsigned(index)],
  /** Runs the body again for as long as it leaves a number other than 0. */
  repeat: (...body: readonly Code[]): Code => [0x03, blockType, ...body.flat(), 0x0d, 0, 0x0b],
  forever: [0x03, blockType, 0x0c, 0, 0x0b] as Code,
  load: (address: number): Code => [...code.i32(address), 0x28, 2, 0],
  store: (address: number, value: Code): Code => [...code.i32(address), ...value, 0x36, 2, 0],
  memoryGrow: [0x40, 0] as Code,
  memorySize: [0x3f, 0] as Code,
  add: [0x6a] as Code,
  isZero: [0x45] as Code,
  isOther: [0x47] as Code,
  drop: [0x1a] as Code,
  unreachable: [0x00] as Code,
} as const;

function signature({parameters = [], results = []}: Pick<ImportSource, 'parameters' | 'results'>): Code {
  const list = (types: readonly ValueType[]): Code => [types.length, ...types.map((type) => typeCodes[type])];
  return [0x60, ...list(parameters), ...list(results)];
}

function bounds({min, max}: BoundsSource): Code {
  return max === undefined ? [0, ...unsigned(min)] : [1, ...unsigned(min), ...unsigned(max)];
}

function section(id: number, items: readonly Code[]): Code {
  return items.length === 0 ? [] : sized(id, [...unsigned(items.length), ...items.flat()]);
}

function sized(id: number, contents: Code): Code {
  return [id, ...withSize(contents)];
}

function withSize(contents: Code): Code {
  return [...unsigned(contents.length), ...contents];
}

function text(value: string): Code {
  const bytes = new TextEncoder().encode(value);
  return [...unsigned(bytes.length), ...bytes];
}

function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value % 128) | 0x80, ...unsigned(Math.floor(value / 128))];
}

function signed(value: bigint): Code {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}

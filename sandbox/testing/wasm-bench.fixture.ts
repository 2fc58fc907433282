// A sandbox for WebAssembly modules, and calls of modules that a test assembles.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {SandboxResult} from '../backends/sandbox-call.ts';
import {assembleModule, code, type Code, type ImportSource, type ModuleSource} from '../wasm/probe/assemble-module.ts';
import {createBench, type Bench, type Call} from './sandbox-bench.fixture.ts';

export interface WasmBench extends Bench {
  /** Returns the entry of a module's export `run`. */
  module(bytes: Uint8Array): string;
  /** Runs a module, whose functions are assembled. */
  runModule(source: ModuleSource | Uint8Array, call?: Call): Promise<SandboxResult>;
}

export async function createWasmBench(): Promise<WasmBench> {
  const bench = await createBench({backend: 'wasm'});
  let count = 0;
  const module = (bytes: Uint8Array): string => {
    count += 1;
    const path = join(bench.folder, 'bundles', `module-${count}.wasm`);
    writeFileSync(path, bytes);
    return `${path}#run`;
  };
  return {
    ...bench,
    module,
    runModule: (source, call) =>
      bench.run(module(source instanceof Uint8Array ? source : assembleModule(source)), call),
  };
}

const i32 = (count: number): readonly 'i32'[] => Array.from({length: count}, () => 'i32');

/** A function of `lumenflow` with so many 32-bit parameters. */
export function lumenflow(name: string, parameters = 0, returns = false): ImportSource {
  return {module: 'lumenflow', name, parameters: i32(parameters), results: returns ? ['i32'] : []};
}

/** A function of WASI with 32-bit parameters. */
export function wasi(name: string, parameters: number): ImportSource {
  const results = name === 'proc_exit' ? [] : (['i32'] as const);
  return {module: 'wasi_snapshot_preview1', name, parameters: i32(parameters), results};
}

/** A module with one function, `run`. */
export function running(imports: readonly ImportSource[], ...body: readonly Code[]): ModuleSource {
  return {imports, functions: [{name: 'run', body: body.flat()}]};
}

/** Calls the import at this index with numbers. */
export function calling(index: number, ...given: readonly number[]): Code {
  return [...given.flatMap((value) => code.i32(value)), ...code.call(index)];
}

/** Its output is its input. */
export const echo: ModuleSource = {
  ...running(
    [lumenflow('input_size', 0, true), lumenflow('input_read', 1), lumenflow('output_write', 2)],
    calling(1, 0),
    [...code.i32(0), ...code.call(0), ...code.call(2)],
  ),
  memory: {min: 200},
};

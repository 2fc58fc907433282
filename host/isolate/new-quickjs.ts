// A fresh QuickJS engine in a separate WebAssembly memory. The engine's own memory limit does not cover all its allocations; the
// limit of its WebAssembly memory does.
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type CustomizeVariantOptions,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

/** Compiled code of the engine, for several engines of a thread. */
export type EngineCode = NonNullable<CustomizeVariantOptions['wasmModule']>;

// The package declares its CommonJS shape for both module systems, and Node's types omit the constructor.
const syncVariant = variant as unknown as QuickJSSyncVariant;
const {Memory} = Reflect.get(globalThis, 'WebAssembly') as {
  readonly Memory: new (size: {initial: number; maximum: number}) => NonNullable<CustomizeVariantOptions['wasmMemory']>;
};

const pageBytes = 64 * 1024;
/** The imports that the engine requires at start. */
const pagesMin = 256;

export async function newQuickJs(memoryBytes: number, wasmModule?: EngineCode): Promise<QuickJSWASMModule> {
  const maximum = Math.max(pagesMin, Math.ceil(memoryBytes / pageBytes));
  const wasmMemory = new Memory({initial: pagesMin, maximum});
  return await newQuickJSWASMModuleFromVariant(newVariant(syncVariant, {wasmMemory, ...(wasmModule && {wasmModule})}));
}

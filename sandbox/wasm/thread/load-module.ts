// Compiles a module, bounded by the memory of its call. A thread keeps what it has compiled: builds of packs do not change, and what
// does, has another identity.
import {readFileSync, statSync} from 'node:fs';
import {boundModule} from '../module/bound-module.ts';
import {WebAssembly, type WasmModule} from './web-assembly.ts';

/** More would mainly be old versions of packs in development. */
const keptMax = 32;
const kept = new Map<string, WasmModule>();

/** Throws InvalidModule, ModuleTooLarge or WebAssembly.CompileError, or an error of the file system. */
export function loadModule(path: string, memoryBytes: number): WasmModule {
  const {dev, ino, size, ctimeMs} = statSync(path);
  const key = JSON.stringify([path, memoryBytes, dev, ino, size, ctimeMs]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const module = new WebAssembly.Module(Uint8Array.from(boundModule(readFileSync(path), memoryBytes)));
  const [oldest] = kept.keys();
  if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
  kept.set(key, module);
  return module;
}

// The part of V8's WebAssembly that is used here: TypeScript declares it for browsers only.

export type WasmModule = object & {readonly [compiled]: true};
declare const compiled: unique symbol;

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface WasmDescriptor {
  readonly name: string;
  readonly kind: 'function' | 'table' | 'memory' | 'global' | 'tag';
}

export type WasmImports = Record<string, Record<string, (...given: readonly unknown[]) => unknown>>;

interface WebAssemblyParts {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly (WasmDescriptor & {readonly module: string})[];
    exports(module: WasmModule): readonly WasmDescriptor[];
  };
  readonly Instance: new (
    module: WasmModule,
    imports: WasmImports,
  ) => {readonly exports: Readonly<Record<string, unknown>>};
  readonly Memory: new (bounds: {readonly initial: number}) => WasmMemory;
}

export const WebAssembly: WebAssemblyParts = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyParts;

// What a module gets: functions of two modules, by exact name. A lookup in ordinary objects would find what they inherit, such as
// `constructor`, and would give the module a way out.
import {ToolError} from '@lumenflow/pack-sdk/invoke';
import type {GuestCall} from './guest-call.ts';
import type {GuestEnding} from './guest-end.ts';
import {lumenflowImports, type HostFunctions} from './lumenflow-imports.ts';
import type {OpenFiles} from './open-files.ts';
import {wasiFileImports} from './wasi-file-imports.ts';
import {wasiImports} from './wasi-imports.ts';
import {WebAssembly, type WasmImports, type WasmModule} from './web-assembly.ts';

export interface ImportParts {
  readonly call: GuestCall;
  readonly ending: GuestEnding;
  readonly files: OpenFiles;
}

/** Throws ToolError TOOL_EXECUTION_FAILED for a module that imports anything else. */
export function hostImports(module: WasmModule, {call, ending, files}: ImportParts): WasmImports {
  const given = new Map<string, HostFunctions>([
    ['lumenflow', lumenflowImports(call)],
    ['wasi_snapshot_preview1', {...wasiImports(call), ...wasiFileImports(call, files)}],
  ]);
  const imports = Object.create(null) as WasmImports;
  for (const {module: from, name, kind} of WebAssembly.Module.imports(module)) {
    const functions = given.get(from);
    const found = functions !== undefined && Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (kind !== 'function' || found === undefined) {
      throw new ToolError(
        'TOOL_EXECUTION_FAILED',
        `the module imports the ${kind} \`${from}.${name}\`, which it is not given`,
      );
    }
    imports[from] ??= Object.create(null) as WasmImports[string];
    imports[from][name] = ending.guard(found);
  }
  return imports;
}

// The kernel's own tools as a pack: they are looked up, decided and recorded like any tool, and answered by the kernel.
import type {PackManifest, ToolDeclaration} from '@lumenflow/schemas';
import type {LoadedPack, ValueValidator} from '../packs/loaded-pack.ts';
import {builtinDeclarations} from './declarations.ts';

/** No other pack may have this id, nor tools of this domain. */
export const kernelPackId: string = 'kernel';

/** Of the shapes of the tools above, not of the runtime. */
const version = '1.0.0';
/** Part of the runtime itself: there are no files to hash. */
const integrity = `sha256:${'0'.repeat(64)}`;

export function createBuiltinPack(compileSchema: (schema: object) => ValueValidator): LoadedPack {
  const declarations = kernelDeclarations();
  const manifest: PackManifest = {
    id: kernelPackId,
    version,
    manifest_version: 1,
    description: 'Tasks, approvals and evidence, for the tools of packs.',
    task_types: [kernelPackId],
    tools: declarations,
  };
  return {
    pin: {id: kernelPackId, version, integrity, source: 'local'},
    manifest,
    integrity,
    root: '',
    config: undefined,
    tools: declarations.map((declaration) => ({
      declaration,
      module_path: '',
      export_name: '',
      where: kernelPackId,
      validateInput: compileSchema(declaration.input_schema ?? {}),
      validateOutput: compileSchema(declaration.output_schema ?? {}),
    })),
    rules: [],
    where: (pointer) => `${kernelPackId}${pointer}`,
  };
}

function kernelDeclarations(): ToolDeclaration[] {
  return Object.entries(builtinDeclarations).map(([verb, {description, permission, input, output, offered}]) => ({
    name: `${kernelPackId}:${verb}`,
    description,
    handler_entry: `${kernelPackId}#answer`,
    permission,
    ...(offered ?? {internal_only: true}),
    input_schema: input,
    output_schema: output,
  }));
}

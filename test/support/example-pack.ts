// Packs as a loader would hand them over, from a few words.
import type {LoadedPack} from '@lumenflow/kernel';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import type {FactoryRule, PackManifest, PolicyRule, ToolDeclaration} from '@lumenflow/schemas';

type ToolWords = Pick<ToolDeclaration, 'name'> & Partial<ToolDeclaration>;

export interface PackWords {
  readonly id: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly tools: readonly ToolWords[];
  readonly task_types?: PackManifest['task_types'];
  readonly claim_check?: string;
  readonly completion_check?: string;
  readonly catalogue?: PackManifest['catalogue'];
  readonly renamed?: PackManifest['renamed'];
  readonly config?: unknown;
  readonly rules?: readonly (PolicyRule | FactoryRule)[];
}

/** Places have the form `<pack>/manifest.yaml#<pointer>`. */
export function examplePack(words: PackWords): LoadedPack {
  const {
    id,
    version = '1.0.0',
    integrity = `sha256:${'1'.repeat(64)}`,
    rules = [],
    claim_check,
    completion_check,
    catalogue,
    renamed,
  } = words;
  const where = (pointer: string): string => `${id}/manifest.yaml#${pointer}`;
  const {compileLater} = createSchemaCompiler();
  const declarations = words.tools.map((tool): ToolDeclaration => ({
    description: tool.name,
    handler_entry: 'tools.mjs#tool',
    permission: 'read',
    ...tool,
  }));
  return {
    pin: {id, version, integrity, source: 'local', path: `packs/${id}`},
    manifest: {
      id,
      version,
      manifest_version: 1,
      task_types: words.task_types ?? [id],
      tools: declarations,
      ...(claim_check !== undefined && {claim_check}),
      ...(completion_check !== undefined && {completion_check}),
      ...(catalogue && {catalogue, config_key: id}),
      ...(renamed && {renamed}),
    },
    integrity,
    root: `/packs/${id}`,
    config: words.config,
    tools: declarations.map((declaration, index) => ({
      declaration,
      module_path: `/packs/${id}/tools.mjs`,
      export_name: 'tool',
      where: where(`/tools/${index}`),
      validateInput: compileLater(declaration.input_schema ?? {}),
      validateOutput: compileLater(declaration.output_schema ?? {}),
    })),
    rules: rules.map((rule, index) => ({rule, where: where(`/policies/${index}`)})),
    where,
  };
}

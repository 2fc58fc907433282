// The tools that run code as a pack of the host, so that each run is decided and recorded as all calls are.
import type {LoadedPack, LoadedTool} from '@lumenflow/kernel';
import {canonicalJson} from '@lumenflow/kernel/adapters';
import {createDigest, createSchemaCompiler} from '@lumenflow/kernel/node';
import type {CodeLanguage, PackManifest, ToolDeclaration} from '@lumenflow/schemas';
import {codeReportShape, codeRequestShape} from '@lumenflow/schemas/shapes';
import {fileURLToPath} from 'node:url';
import {codePackId, codeTool, sandboxedCodeTool} from './code-tools.ts';

/** Of the shapes of the tools. */
const version = '1.0.0';

/** Sandboxes run built JavaScript, even when the host runs from its sources. Its folder has nothing else. */
const sandboxedModule = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts')
      ? '../../../dist/exec/code-in-sandbox/run-code.cjs'
      : '../../code-in-sandbox/run-code.cjs',
    import.meta.url,
  ),
);

/** Longer than any run may take, so that the limit of the run decides. */
const timeout_ms = 660_000;

export function createCodePack(): LoadedPack {
  const declarations = [
    declarationOf(codeTool, 'Runs JavaScript or TypeScript that calls tools.', ['javascript', 'typescript']),
    declarationOf(sandboxedCodeTool, 'Runs code that calls tools, as a process in a sandbox.', [
      'javascript',
      'typescript',
      'python',
      'shell',
    ]),
  ];
  const manifest: PackManifest = {
    id: codePackId,
    version,
    manifest_version: 1,
    description: 'Runs code that calls tools.',
    task_types: [codePackId],
    tools: declarations,
  };
  const integrity = `sha256:${createDigest().sha256(canonicalJson({declarations}))}`;
  const compiler = createSchemaCompiler();
  return {
    pin: {id: codePackId, version, integrity, source: 'local'},
    manifest,
    integrity,
    root: '',
    config: undefined,
    tools: declarations.map((declaration): LoadedTool => ({
      declaration,
      module_path: declaration.name === codeTool ? codeTool : sandboxedModule,
      export_name: 'runCode',
      where: codePackId,
      runs_caller_code: true,
      validateInput: compiler.compileLater(declaration.input_schema ?? {}),
      validateOutput: compiler.compileLater(declaration.output_schema ?? {}),
    })),
    rules: [],
    where: (pointer) => `${codePackId}${pointer}`,
  };
}

function declarationOf(name: string, description: string, languages: readonly CodeLanguage[]): ToolDeclaration {
  const {properties} = codeRequestShape;
  return {
    name,
    description,
    // It changes nothing itself; each call that the code makes has its own permission.
    permission: 'read',
    // Surfaces offer it in their own forms.
    audience: 'host',
    handler_entry: `${codePackId}.js#runCode`,
    timeout_ms,
    input_schema: {
      ...codeRequestShape,
      properties: {...properties, language: {...properties.language, enum: [...languages]}},
    },
    output_schema: {...codeReportShape},
  };
}

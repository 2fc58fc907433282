// Makes loaded tools of a manifest's declarations: where their built code is, and validators of their schemas.
import type {LoadedTool, Problem, ValueValidator} from '@lumenflow/kernel';
import type {SchemaCompiler} from '@lumenflow/kernel/node';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {join} from 'node:path';
import type {CachedBuild} from './build-cache.ts';
import {embedReferences} from './embed-references.ts';
import {PackFileError, type PackFiles} from './pack-files.ts';
import {entryPath} from './read-manifest.ts';

export interface ToolsRequest {
  readonly declarations: readonly ToolDeclaration[];
  readonly files: PackFiles;
  readonly build: CachedBuild;
  readonly compiler: SchemaCompiler;
  /** `file:line:column` of a JSON pointer into the manifest. */
  locate(pointer: string): string;
}

export async function loadTools(
  request: ToolsRequest,
): Promise<{readonly tools: readonly LoadedTool[]; readonly problems: readonly Problem[]}> {
  const tools: LoadedTool[] = [];
  const problems: Problem[] = [];
  for (const [index, declaration] of request.declarations.entries()) {
    const pointer = `/tools/${index}`;
    const [file, exportName] = [
      entryPath(declaration.handler_entry) ?? '',
      declaration.handler_entry.split('#')[1] ?? '',
    ];
    const input = await compile(request, declaration.input_schema, `${pointer}/input_schema`);
    const output = await compile(request, declaration.output_schema, `${pointer}/output_schema`);
    problems.push(...input.problems, ...output.problems);
    tools.push({
      declaration,
      module_path: join(request.build.folder, request.build.record.modules[file] ?? file),
      export_name: exportName,
      where: request.locate(pointer),
      validateInput: input.validate,
      validateOutput: output.validate,
    });
  }
  return {tools, problems};
}

async function compile(
  request: ToolsRequest,
  schema: object | undefined,
  pointer: string,
): Promise<{validate: ValueValidator; problems: readonly Problem[]}> {
  const acceptAll: ValueValidator = () => [];
  if (schema === undefined) return {validate: acceptAll, problems: []};
  try {
    const whole = await embedReferences(schema, 'manifest.yaml', request.files);
    if (request.build.hasSoundSchemas) return {validate: request.compiler.compileLater(whole), problems: []};
    const compiled = request.compiler.compile(whole, (inner) => request.locate(pointer + inner));
    if ('validate' in compiled) return {validate: compiled.validate, problems: []};
    return {validate: acceptAll, problems: [{...compiled.problem, code: 'PACK_SCHEMA_INVALID'}]};
  } catch (error) {
    if (!(error instanceof PackFileError)) throw error;
    const message = `the JSON Schema cannot be used: \`${error.path}\` ${error.message}`;
    const problem: Problem = {
      code: 'PACK_SCHEMA_INVALID',
      severity: 'error',
      message,
      where: request.locate(pointer),
      pointer,
    };
    return {validate: acceptAll, problems: [problem]};
  }
}

// Turns a manifest's declarations into loaded tools, with their built code and validators of their schemas.
import type {LoadedTool, Problem} from '@lumenflow/kernel';
import type {ValueValidator} from '@lumenflow/kernel/adapters';
import type {ToolTerms} from '@lumenflow/schemas';
import {join} from 'node:path';
import type {CachedBuild} from './build/build-cache.ts';
import {createWasmCheck} from './check-wasm-tool.ts';
import {embedReferences} from './schemas/embed-references.ts';
import {termsOf, textFault} from './lock/tool-terms.ts';
import type {PackContents} from './pack-contents.ts';
import {PackFileError} from './files/pack-files.ts';
import {entryPath, isWasm} from './manifest/read-manifest.ts';
import type {Schema} from './schemas/schema-keywords.ts';
import {withSchemas} from './with-schemas.ts';

export interface LoadedTools {
  readonly tools: readonly LoadedTool[];
  /** By the tool's name. */
  readonly terms: ReadonlyMap<string, ToolTerms>;
  readonly problems: readonly Problem[];
}

/** Without a build the tools cannot run, but their schemas are still checked. */
export async function loadTools(contents: PackContents, build: CachedBuild | undefined): Promise<LoadedTools> {
  const {manifest, locate} = contents.read;
  const isSound = build?.sound.has('tools') === true;
  const tools: LoadedTool[] = [];
  const terms = new Map<string, ToolTerms>();
  const problems: Problem[] = [];
  const checkWasm = createWasmCheck(contents, isSound);
  for (const [index, declaration] of manifest.tools.entries()) {
    const pointer = `/tools/${index}`;
    const entry = declaration.handler_entry;
    const file = entryPath(entry) ?? '';
    const wasm = build !== undefined && isWasm(file) ? await checkWasm(declaration, pointer) : undefined;
    problems.push(...(wasm?.problems ?? []));
    const input = await compile(contents, declaration.input_schema, `${pointer}/input_schema`, isSound);
    const output = await compile(contents, declaration.output_schema, `${pointer}/output_schema`, isSound);
    problems.push(...input.problems, ...output.problems);
    const whole = {input: input.whole, output: output.whole};
    const own = termsOf(declaration, whole);
    const fault = isSound ? undefined : textFault(own);
    if (fault === undefined) terms.set(declaration.name, own);
    else problems.push(termsProblem(declaration.name, fault, {pointer, where: locate(pointer)}));
    tools.push({
      declaration: withSchemas(declaration, whole),
      module_path: build ? join(build.folder, build.record.modules[file] ?? file) : '',
      export_name: wasm?.entry ?? entry.split('#')[1] ?? '',
      where: locate(pointer),
      validateInput: input.validate,
      validateOutput: output.validate,
    });
  }
  return {tools, terms, problems};
}

function termsProblem(tool: string, fault: string, place: Pick<Problem, 'where' | 'pointer'>): Problem {
  const message = `the tool \`${tool}\` cannot be approved: ${fault}`;
  return {
    code: 'PACK_MANIFEST_INVALID',
    severity: 'error',
    message,
    ...place,
    help: 'use complete Unicode characters only',
  };
}

async function compile(
  {declared, loader, read}: PackContents,
  schema: object | undefined,
  pointer: string,
  isSound: boolean,
): Promise<{validate: ValueValidator; whole?: Schema; problems: readonly Problem[]}> {
  const acceptAll: ValueValidator = () => [];
  if (schema === undefined) return {validate: acceptAll, problems: []};
  try {
    const whole = await embedReferences(schema, 'manifest.yaml', declared);
    if (isSound) return {validate: loader.compiler.compileLater(whole), whole, problems: []};
    const compiled = loader.compiler.compile(whole, (inner) => read.locate(pointer + inner));
    if (compiled.ok) return {validate: compiled.value, whole, problems: []};
    return {validate: acceptAll, problems: [{...compiled.problem, code: 'PACK_SCHEMA_INVALID'}]};
  } catch (error) {
    if (!(error instanceof PackFileError)) throw error;
    const message = `the JSON Schema cannot be used: \`${error.path}\` ${error.message}`;
    const problem: Problem = {
      code: 'PACK_SCHEMA_INVALID',
      severity: 'error',
      message,
      where: read.locate(pointer),
      pointer,
    };
    return {validate: acceptAll, problems: [problem]};
  }
}

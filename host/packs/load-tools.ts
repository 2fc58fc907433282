// Turns a manifest's declarations into loaded tools, with their built code and validators of their schemas.
import type {LoadedTool, Problem} from '@lumenflow/kernel';
import type {ValueValidator} from '@lumenflow/kernel/adapters';
import type {ToolDeclaration, ToolTerms} from '@lumenflow/schemas';
import {join} from 'node:path';
import type {CachedBuild} from './build/build-cache.ts';
import {checkProgramTools, readProgramTool} from './program-tools.ts';
import {createWasmCheck, type WasmCheck} from './check-wasm-tool.ts';
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
  const isSound = build?.sound.has('tools') === true;
  const loading: ToolLoading = {contents, build, isSound, checkWasm: createWasmCheck(contents, isSound)};
  const tools: LoadedTool[] = [];
  const terms = new Map<string, ToolTerms>();
  const problems: Problem[] = [];
  for (const [index, declared] of contents.read.manifest.tools.entries()) {
    const loaded = await loadTool(loading, declared, index);
    tools.push(loaded.tool);
    if (loaded.terms) terms.set(declared.name, loaded.terms);
    problems.push(...loaded.problems);
  }
  if (!isSound) problems.push(...(await checkProgramTools(tools)));
  return {tools, terms, problems};
}

interface ToolLoading {
  readonly contents: PackContents;
  readonly build: CachedBuild | undefined;
  /** The build was checked before. */
  readonly isSound: boolean;
  readonly checkWasm: WasmCheck;
}

interface LoadedOne {
  readonly tool: LoadedTool;
  readonly terms?: ToolTerms;
  readonly problems: readonly Problem[];
}

async function loadTool(
  {contents, build, isSound, checkWasm}: ToolLoading,
  declared: ToolDeclaration,
  index: number,
): Promise<LoadedOne> {
  const pointer = `/tools/${index}`;
  const where = contents.read.locate(pointer);
  const {program, declaration} = (await readProgramTool(contents, declared)) ?? {declaration: declared};
  const file = entryPath(declaration.handler_entry) ?? '';
  const wasm = build !== undefined && isWasm(file) ? await checkWasm(declaration, pointer) : undefined;
  const input = await compile(contents, declaration.input_schema, `${pointer}/input_schema`, isSound);
  const output = await compile(contents, declaration.output_schema, `${pointer}/output_schema`, isSound);
  // The schema of a program is checked in its file.
  const problems = [...(wasm?.problems ?? []), ...(program ? [] : input.problems), ...output.problems];
  const whole = {input: input.whole, output: output.whole};
  const terms = termsOf(declaration, whole);
  const fault = isSound ? undefined : textFault(terms);
  const tool: LoadedTool = {
    declaration: withSchemas(declaration, whole),
    ...(program && {program}),
    module_path: program ? '' : modulePath(build, file),
    export_name: wasm?.entry ?? declaration.handler_entry.split('#')[1] ?? '',
    where,
    validateInput: input.validate,
    validateOutput: output.validate,
  };
  if (fault === undefined) return {tool, terms, problems};
  return {tool, problems: [...problems, termsProblem(declaration.name, fault, {pointer, where})]};
}

function modulePath(build: CachedBuild | undefined, file: string): string {
  return build ? join(build.folder, build.record.modules[file] ?? file) : '';
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

// Tools whose handler is a program. The inputs of the program are the input schema of the tool. Its steps are checked against the
// pack; those of calls of other packs' tools are checked when the program is called.
import type {LoadedTool, Problem} from '@lumenflow/kernel';
import type {ToolDeclaration} from '@lumenflow/schemas';
import type {PackFiles} from './files/pack-files.ts';
import {entryPath, isProgram} from './manifest/read-manifest.ts';

export interface ReadProgramTool {
  readonly program: NonNullable<LoadedTool['program']>;
  /** With the input schema, if the program could be read. */
  readonly declaration: ToolDeclaration;
}

export interface PackTexts {
  readonly declared: Pick<PackFiles, 'has' | 'read'>;
  /** A path of the pack as messages show it. */
  display(path: string): string;
}

/** Undefined for a tool that is not a program. */
export async function readProgramTool(
  {declared, display}: PackTexts,
  declaration: ToolDeclaration,
): Promise<ReadProgramTool | undefined> {
  const path = entryPath(declaration.handler_entry);
  if (path === undefined || !isProgram(declaration.handler_entry) || !declared.has(path)) return undefined;
  const program = {file: display(path), text: new TextDecoder().decode(await declared.read(path))};
  // Expressions and their library are loaded only for packs with programs.
  const {readProgram} = await import('../exec/programs/document/read-program.ts');
  const {inputsSchema, exampleInputs} = await import('../exec/programs/checks/check-inputs.ts');
  const read = readProgram(program);
  if (!read.ok) return {program, declaration};
  const examples = exampleInputs(read.value.program);
  const input_schema = {...inputsSchema(read.value.program), ...(examples && {examples: [examples]})};
  return {program, declaration: {...declaration, input_schema}};
}

/** `tools`: all of the pack. */
export async function checkProgramTools(tools: readonly LoadedTool[]): Promise<readonly Problem[]> {
  if (tools.every(({program}) => program === undefined)) return [];
  const {checkText} = await import('../exec/programs/checks/check-text.ts');
  const rules = {
    tools: new Map(tools.map((tool) => [tool.declaration.name, tool])),
    isTool: true,
    isWithoutWorkspace: true,
  };
  const files = new Map(tools.flatMap(({program}) => (program ? [[program.file, program] as const] : [])));
  return [...files.values()].flatMap((program) => checkText(program, rules).problems);
}

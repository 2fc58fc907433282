// Imports files of a pack in the sandbox, without any scope, and describes the tools that they define. A file that cannot be imported is
// a problem at its position.
import {isKernelError, type Problem} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {stringify} from 'yaml';
import {stagePack, type StagedPack} from '../testing/stage-pack.ts';
import {testPack, type TestedPack} from '../testing/test-pack.ts';
import {describingModule, describingSource, valibotConverter, type DescribedFile} from './describing-module.ts';

export interface DescribedCode {
  readonly files: readonly DescribedFile[];
  readonly problems: readonly Problem[];
}

const tool = 'describe:code';
const timeoutMs = 10_000;

/** `files` are relative to `folder`, the pack's. Positions in problems are too. */
export async function describeCode(folder: string, files: readonly string[]): Promise<DescribedCode> {
  if (files.length === 0) return {files: [], problems: []};
  const staged = await stagePack(folder, async (copy) => await changeCopy(copy, folder, files));
  let pack: TestedPack | undefined;
  try {
    pack = await testPack(staged.folder);
    return await describeFiles(pack, files, staged);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    // The others are of the workspace that the copy is tried in.
    const own = error.problems.filter(({where}) => where.startsWith(`${staged.folder}/`));
    if (own.length === 0) throw error;
    return {files: [], problems: own.map((problem) => ({...problem, where: inPack(staged, problem.where)}))};
  } finally {
    await pack?.close();
    await staged.remove();
  }
}

/** The copy's only tool is the describing one, so that mistakes of the manifest do not prevent this. */
async function changeCopy(copy: string, folder: string, files: readonly string[]): Promise<void> {
  const hasConverter = canResolve(folder, valibotConverter);
  if (hasConverter) await declareDependency(join(copy, 'package.json'), valibotConverter);
  const described = {
    name: tool,
    description: 'Describes the code of a pack',
    handler_entry: `${describingModule}#describe`,
    permission: 'read',
    timeout_ms: timeoutMs,
  };
  const manifest = {
    id: 'described',
    version: '0.0.0',
    manifest_version: 1,
    task_types: ['described'],
    tools: [described],
  };
  await writeFile(join(copy, 'manifest.yaml'), stringify(manifest));
  await writeFile(join(copy, describingModule), describingSource(files, hasConverter));
}

function canResolve(folder: string, name: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve(name);
    return true;
  } catch {
    // Not installed: a schema that needs it is reported.
    return false;
  }
}

/** It is a development dependency of the pack. */
async function declareDependency(file: string, name: string): Promise<void> {
  if (!existsSync(file)) return;
  const declared = JSON.parse(await readFile(file, 'utf8')) as {dependencies?: Record<string, string>};
  await writeFile(file, JSON.stringify({...declared, dependencies: {...declared.dependencies, [name]: '*'}}));
}

/** Calls once, and again without the file that prevented it. */
async function describeFiles(pack: TestedPack, files: readonly string[], staged: StagedPack): Promise<DescribedCode> {
  const problems: Problem[] = [];
  let left = files;
  while (left.length > 0) {
    let current = left[0] ?? '';
    const onProgress = (payload: unknown): void => void (current = (payload as {file: string}).file);
    const output = await pack.call(tool, {files: left}, {onProgress});
    if (output.success) return {files: output.data as readonly DescribedFile[], problems};
    problems.push(importProblem(current, output, staged));
    if (!isOfCode(output)) break;
    left = left.filter((file) => file !== current);
  }
  return {files: [], problems};
}

/** Other errors, such as a missing sandbox, concern every file. */
function isOfCode({error}: ToolOutput): boolean {
  return ['TOOL_EXECUTION_FAILED', 'TOOL_TIMEOUT', 'TOOL_CRASHED', 'LIMIT_EXCEEDED'].includes(error?.code ?? '');
}

function importProblem(file: string, output: ToolOutput, staged: StagedPack): Problem {
  const {code = 'TOOL_EXECUTION_FAILED', message = '', details} = output.error ?? {};
  const severity = 'error';
  if (!isOfCode(output)) return {code, severity, message, where: file};
  if (code === 'TOOL_TIMEOUT') {
    const late = `the import of \`${file}\` did not end within ${timeoutMs / 1000} s`;
    return {code: 'PACK_IMPORT_FAILED', severity, message: late, where: file, help: 'look for a loop or an `await`'};
  }
  const where = placeIn(details?.['stack'], staged) ?? file;
  const failed = `the import of \`${file}\` failed: ${message}`;
  return {code: 'PACK_IMPORT_FAILED', severity, message: failed, where};
}

/** The first position of a stack that is in the pack. */
function placeIn(stack: unknown, staged: StagedPack): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const [, place] = /[^\s()]*\/pack\/([^\s():]+:\d+:\d+)/u.exec(stack) ?? [];
  return place?.startsWith(describingModule) === true ? undefined : place && inPack(staged, place);
}

function inPack({folder}: StagedPack, where: string): string {
  return where.replace(`${folder}/`, '');
}

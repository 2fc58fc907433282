// Compares a pack's manifest with its code: the result contains the texts that the code's schemas and declarations require.
import type {Problem} from '@lumenflow/kernel';
import {parseYamlDocument} from '@lumenflow/kernel/node';
import {validateToolFile} from '@lumenflow/schemas/validators';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {generatedFile} from '../packs/manifest/generated-file.ts';
import {findCodeFiles, moduleOf, type CodeFiles} from './code-files.ts';
import {describeCode} from './describe-code.ts';
import type {DescribedExport, DescribedFile} from './describing-module.ts';
import {fillManifest, type ManifestText} from './fill-manifest.ts';
import {generateTools} from './generate-tools.ts';

export interface StaleFile extends ManifestText {
  /** Relative to the pack. */
  readonly path: string;
}

export interface ManifestFromCode {
  /** The files that differ, with the text that they must have. Empty if there are problems. */
  readonly stale: readonly StaleFile[];
  /** Code that cannot be imported, and declarations that are not valid; positions are relative to the pack. */
  readonly problems: readonly Problem[];
}

export async function manifestFromCode(folder: string): Promise<ManifestFromCode> {
  const code = await findCodeFiles(folder);
  const {files, problems: failed} = await describeCode(folder, code.modules);
  const problems = [...failed, ...unusableHandlers(code, files), ...(await schemaFaults(folder, files))];
  if (problems.length > 0) return {stale: [], problems};
  const filled = code.written.map(({path, text, tools}) => ({
    path,
    ...(tools.length === 0 ? {text, changed: []} : fillManifest(text, (entry) => exportOf(files, entry))),
  }));
  if (!code.isGenerated) return {stale: filled.filter(isStale), problems};
  const before = await readFile(join(folder, generatedFile), 'utf8').catch(() => undefined);
  const generated = {path: generatedFile, ...generateTools(files, before)};
  const invalid = await declarationProblems(folder, generated.text);
  return {stale: invalid.length > 0 ? [] : [...filled, generated].filter(isStale), problems: invalid};
}

/** Whether the manifest's tools are generated from code, so that the two can differ. */
export async function isManifestGenerated(folder: string): Promise<boolean> {
  return (await findCodeFiles(folder)).isGenerated;
}

/** The stale files as problems of a check. */
export function staleProblems(stale: readonly StaleFile[]): readonly Problem[] {
  return stale.map(({path, changed}) => ({
    code: 'MANIFEST_STALE',
    severity: 'error',
    message: `\`${path}\` differs from the code: ${changed.join(', ')}`,
    where: path,
    help: 'run `lumenflow pack manifest`',
  }));
}

function isStale({changed}: StaleFile): boolean {
  return changed.length > 0;
}

function exportOf(files: readonly DescribedFile[], entry: string): DescribedExport | undefined {
  const [path, name] = [moduleOf(entry), entry.split('#')[1]];
  return files.find(({file}) => file === path)?.exports.find((described) => described.name === name);
}

function unusableHandlers({written}: CodeFiles, files: readonly DescribedFile[]): readonly Problem[] {
  const entries = written.flatMap(({tools}) => tools.map(({handler_entry}) => handler_entry));
  return entries.flatMap((entry): readonly Problem[] => {
    const described = typeof entry === 'string' ? exportOf(files, entry) : undefined;
    if (described === undefined || described.isHandler) return [];
    const message = described.isUndefined
      ? `\`${entry}\` is undefined after its module was imported`
      : `\`${entry}\` is neither a tool made by defineTool nor a function`;
    const help = described.isUndefined ? 'look for modules that import each other' : 'export `defineTool({…})`';
    return [{code: 'PACK_EXPORT_MISSING', severity: 'error', message, where: moduleOf(entry) ?? entry, help}];
  });
}

async function schemaFaults(folder: string, files: readonly DescribedFile[]): Promise<readonly Problem[]> {
  const faulty = files.flatMap(({file, exports}) =>
    exports.flatMap(({name, faults = []}) => faults.map((fault) => ({file, name, fault}))),
  );
  return await Promise.all(
    faulty.map(async ({file, name, fault}): Promise<Problem> => ({
      code: 'SCHEMAS_UNAVAILABLE',
      severity: 'error',
      message: `\`${name}\` ${fault}`,
      where: await exportPlace(folder, file, name),
      help: 'use a schema with a JSON Schema (for valibot: npm install --save-dev @valibot/to-json-schema), or write the JSON Schema by hand',
    })),
  );
}

/** Mistakes in a declaration, at its export: the position in the generated file does not help its author. */
async function declarationProblems(folder: string, text: string): Promise<readonly Problem[]> {
  const document = parseYamlDocument({
    text,
    file: generatedFile,
    validate: validateToolFile,
    code: 'PACK_MANIFEST_INVALID',
  });
  const {tools = []} = (document.value ?? {}) as {readonly tools?: readonly {readonly handler_entry: string}[]};
  return await Promise.all(
    document.problems.map(async (problem): Promise<Problem> => {
      const [, index = '', inner = ''] = /^\/tools\/(\d+)(.*)$/u.exec(problem.pointer ?? '') ?? [];
      const [file, name = ''] = tools[Number(index)]?.handler_entry.split('#') ?? [];
      if (file === undefined) return problem;
      return {...problem, pointer: inner, where: await exportPlace(folder, file, name)};
    }),
  );
}

/** `file:line:column` of an export, or the file alone. */
async function exportPlace(folder: string, file: string, name: string): Promise<string> {
  const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
  const pattern = new RegExp(
    `^\\s*(?:export\\s+(?:const|let|var|(?:async\\s+)?function)\\s+|exports\\.)(?=${name}\\b)`,
    'u',
  );
  for (const [index, line] of lines.entries()) {
    const [before] = pattern.exec(line) ?? [];
    if (before !== undefined) return `${file}:${index + 1}:${before.length + 1}`;
  }
  return file;
}

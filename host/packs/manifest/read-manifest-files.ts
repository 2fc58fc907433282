// Merges a pack's manifest with the tools of its tool_files into one value, and maps each position to its file.
import {failed, ok, type Failed, type Outcome, type Problem} from '@lumenflow/kernel';
import type {PackManifest, ToolFile} from '@lumenflow/schemas';
import {validateManifest, validateToolFile} from '@lumenflow/schemas/validators';
import {readCachedYaml} from './cached-yaml.ts';
import {packPath} from '../files/pack-path.ts';
import {generatedFile} from './generated-file.ts';

export interface ManifestSource {
  /** A file's text by its path in the pack; undefined when there is none. */
  read(path: string): Promise<string | undefined>;
  /** A path of the pack as messages show it. */
  display(path: string): string;
  /** The folder for cached parse results; without it everything is parsed. */
  readonly cacheFolder?: string | undefined;
  /** Whether manifest.yaml was written by LumenFlow, for a server or a service. */
  readonly isGenerated?: boolean;
}

export interface WholeManifest {
  readonly manifest: PackManifest;
  /** `file:line:column` of a JSON pointer into the whole manifest. */
  locate(pointer: string): string;
}

export interface ManifestParts extends WholeManifest {
  readonly problems: readonly Problem[];
}

interface ToolPart {
  readonly tools: PackManifest['tools'];
  locate(pointer: string): string;
}

/** `text` is of manifest.yaml. */
export async function readManifestFiles(
  text: string,
  source: ManifestSource,
): Promise<Outcome<WholeManifest, readonly Problem[]>> {
  const {problems, ...whole} = await readManifestParts(text, source);
  return problems.length > 0 ? failed(problems) : ok(whole);
}

/** With problems, the manifest is whatever the files contain: `tools` can be missing, and its items can be of any type. */
export async function readManifestParts(text: string, source: ManifestSource): Promise<ManifestParts> {
  const file = source.display('manifest.yaml');
  const document = await readCachedYaml(
    {
      kind: 'manifest',
      text,
      file,
      validate: validateManifest,
      code: 'PACK_MANIFEST_INVALID',
      isGenerated: source.isGenerated === true,
    },
    source.cacheFolder,
  );
  const locate = (pointer: string): string => document.locate(pointer);
  const manifest = (document.value ?? {}) as PackManifest;
  if (document.problems.length > 0) return {manifest, locate, problems: document.problems.map(withRemedy)};
  const named = manifest.tool_files ?? [];
  const files = await Promise.all(
    named.map((path, index) => readToolFile(path, document.locate(`/tool_files/${index}`), source)),
  );
  const own: ToolPart = {tools: manifest.tools, locate};
  const parts = [own, ...files.flatMap((part) => (part.ok ? part.value : []))];
  return {
    manifest: {...manifest, tools: parts.flatMap(({tools}) => tools)},
    locate: (pointer) => locateIn(parts, own, pointer),
    problems: files.flatMap((part) => (part.ok ? [] : part.problem)),
  };
}

/** `timeout_ms` is not one of the resource limits, which is a common mistake. */
function withRemedy(problem: Problem): Problem {
  const isMisplaced = /^\/tools\/\d+\/limits$/u.test(problem.pointer ?? '') && problem.message.includes('`timeout_ms`');
  return isMisplaced ? {...problem, help: '`timeout_ms` belongs beside `limits`, in the tool'} : problem;
}

async function readToolFile(
  named: string,
  where: string,
  {read, display, cacheFolder}: ManifestSource,
): Promise<Outcome<ToolPart, readonly Problem[]>> {
  const path = packPath(named);
  if (path === undefined) {
    return lost({code: 'PACK_ENTRY_OUTSIDE', where, message: `\`${named}\` leads out of the pack`});
  }
  const text = await read(path);
  if (text === undefined) {
    const isGenerated = path === generatedFile;
    const help = isGenerated ? 'run `lumenflow pack manifest`' : 'tool_files are relative to manifest.yaml';
    return lost({code: 'PACK_ENTRY_MISSING', where, message: `\`${named}\` is not a file of the pack`, help});
  }
  const document = await readCachedYaml(
    {kind: 'tools', text, file: display(path), validate: validateToolFile, code: 'PACK_MANIFEST_INVALID'},
    cacheFolder,
  );
  if (document.problems.length > 0) return failed(document.problems.map(withRemedy));
  return ok({tools: (document.value as ToolFile).tools, locate: (pointer) => document.locate(pointer)});
}

function lost(problem: Omit<Problem, 'severity'>): Failed<readonly Problem[]> {
  return failed([{...problem, severity: 'error'}]);
}

/** Tools are numbered across all files; everything else is in manifest.yaml. */
function locateIn(parts: readonly ToolPart[], own: ToolPart, pointer: string): string {
  const [, index, rest = ''] = /^\/tools\/(\d+)(\/.*)?$/u.exec(pointer) ?? [];
  if (index === undefined) return own.locate(pointer);
  let inFile = Number(index);
  for (const {tools, locate} of parts) {
    if (inFile < tools.length) return locate(`/tools/${inFile}${rest}`);
    inFile -= tools.length;
  }
  return own.locate('/tools');
}

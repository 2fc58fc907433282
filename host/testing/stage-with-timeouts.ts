// A copy of a pack whose tools have another timeout, for tests of timeouts. Internal previews keep theirs, because otherwise
// their calls would not begin.
import type {PackManifest, ToolDeclaration} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {cp, mkdtemp, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {parse, parseDocument} from 'yaml';

export interface StagedPack {
  readonly folder: string;
  remove(): Promise<void>;
}

const left: ReadonlySet<string> = new Set(['node_modules', '.git', '.lumenflow']);

export async function stageWithTimeouts(pack: string, timeoutMs: number): Promise<StagedPack> {
  const source = await realpath(resolve(pack));
  const stage = await realpath(await mkdtemp(join(tmpdir(), 'lumenflow-stage-')));
  const remove = (): Promise<void> => rm(stage, {recursive: true, force: true});
  try {
    const folder = join(stage, 'pack');
    await cp(source, folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !left.has(basename(path)) || path === source,
    });
    const modules = nodeModulesAbove(source);
    if (modules !== undefined) await symlink(modules, join(stage, 'node_modules'));
    const files = (await manifestFiles(folder)).map((file) => join(folder, file));
    const previews = await previewNames(files);
    for (const file of files) await limitTools(file, timeoutMs, previews);
    return {folder, remove};
  } catch (error) {
    await remove();
    throw error;
  }
}

async function manifestFiles(folder: string): Promise<readonly string[]> {
  const {tool_files = []} = parse(await readFile(join(folder, 'manifest.yaml'), 'utf8')) as PackManifest;
  return ['manifest.yaml', ...tool_files];
}

async function previewNames(files: readonly string[]): Promise<ReadonlySet<string>> {
  const tools = (await Promise.all(files.map(async (file) => toolsIn(parse(await readFile(file, 'utf8')))))).flat();
  return new Set(tools.flatMap(({preview}) => preview ?? []));
}

function toolsIn(manifest: unknown): readonly ToolDeclaration[] {
  return (manifest as Partial<PackManifest> | null)?.tools ?? [];
}

async function limitTools(file: string, timeoutMs: number, previews: ReadonlySet<string>): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8'));
  for (const [index, {name, internal_only}] of toolsIn(document.toJS()).entries()) {
    if (internal_only === true && previews.has(name)) continue;
    document.setIn(['tools', index, 'timeout_ms'], timeoutMs);
  }
  await writeFile(file, document.toString());
}

/** Where the pack's dependencies are installed. */
function nodeModulesAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return modules;
    if (folder === dirname(folder)) return undefined;
  }
}

// A copy of a pack whose tools have another time limit, to see what happens when it passes.
import type {PackManifest} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {cp, mkdtemp, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {isSeq, parse, parseDocument} from 'yaml';

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
    for (const file of await manifestFiles(folder)) await limitTools(join(folder, file), timeoutMs);
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

async function limitTools(file: string, timeoutMs: number): Promise<void> {
  const document = parseDocument(await readFile(file, 'utf8'));
  const tools = document.get('tools');
  const count = isSeq(tools) ? tools.items.length : 0;
  for (let index = 0; index < count; index++) document.setIn(['tools', index, 'timeout_ms'], timeoutMs);
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

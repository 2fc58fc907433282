// A copy of a pack whose tools have another timeout, for tests of timeouts. Internal previews keep theirs, because otherwise
// their calls would not begin.
import type {PackManifest, ToolDeclaration} from '@lumenflow/schemas';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parse, parseDocument} from 'yaml';
import {stagePack, type StagedPack} from './stage-pack.ts';

export async function stageWithTimeouts(pack: string, timeoutMs: number): Promise<StagedPack> {
  return await stagePack(pack, async (folder) => {
    const files = (await manifestFiles(folder)).map((file) => join(folder, file));
    const previews = await previewNames(files);
    for (const file of files) await limitTools(file, timeoutMs, previews);
  });
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

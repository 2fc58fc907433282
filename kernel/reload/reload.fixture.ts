// Packs and a workspace of them, as far as reloading looks at them.
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {compileHoles} from '../scopes/index.ts';
import type {CompiledWorkspace} from '../workspace/compiled-workspace.ts';

export function packOf(id: string, content: string, integrity: 'dev' | 'pinned' = 'dev'): LoadedPack {
  const hash = `sha256:${content}`;
  return {
    pin: {id, version: '1.0.0', integrity: integrity === 'dev' ? 'dev' : hash, source: 'local', path: id},
    manifest: {id, version: '1.0.0', manifest_version: 1, task_types: [id], tools: []},
    integrity: hash,
    root: `/${id}`,
    config: undefined,
    tools: [],
    rules: [],
    where: (pointer) => pointer,
  };
}

export function workspaceOf(...packs: readonly LoadedPack[]): CompiledWorkspace {
  const byId = new Map(packs.map((pack) => [pack.manifest.id, pack]));
  return {
    packs: byId,
    allowLoosening: [],
    holes: compileHoles([], String).holes,
  } as Partial<CompiledWorkspace> as CompiledWorkspace;
}

// The workspace of the attacks: its packs, scopes and policy. For the proof that an attack works at all, the same without
// restrictions.
import type {SandboxBackendOptions, WorkspaceSpec} from '@lumenflow/schemas';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const packFolder = join(import.meta.dirname, 'attack-pack');
const path = (pattern: string, access: 'read' | 'write') => ({type: 'path', pattern, access}) as const;
const anyNetwork = {type: 'network', posture: 'full'} as const;

export interface WorkspaceRules {
  readonly guarded: boolean;
  /** How many times longer than elsewhere calls may take. */
  readonly patience: number;
  /** Whether lanes allow direct writes, for a backend that supports them. */
  readonly direct: boolean;
  readonly backends: SandboxBackendOptions | undefined;
}

/** The time of `attack:try-bounded`, as its manifest says. */
export const boundedMs = 2_000;
/** Likewise of `attack:try-in-process`. */
export const inProcessMs = 5_000;
/** Shorter than the harness waits for an answer. */
const timeoutMsMax = 240_000;

/** Gives the text of workspace.yaml. The trusted pack has the same tools: on the thread pool. */
export function makeWorkspace(root: string, {guarded, patience, direct, backends}: WorkspaceRules): string {
  const writes = direct ? ({writes: 'direct'} as const) : {};
  copyPack(root, 'attack', guarded, patience);
  copyPack(root, 'trusted', guarded, patience);
  const pin = {version: '0.1.0', integrity: 'dev', source: 'local'} as const;
  const spec: WorkspaceSpec = {
    id: 'escape',
    packs: [
      {...pin, id: 'attack', path: 'packs/attack', trust: guarded ? 'sandboxed' : 'in_process'},
      {...pin, id: 'trusted', path: 'packs/trusted', trust: 'in_process'},
    ],
    lanes: [
      {id: 'wide', allowed_scopes: [path('**', 'write'), anyNetwork], ...writes},
      // It sets no mode: by default even tools that declare direct writes are transactional.
      {id: 'held', allowed_scopes: [path('**', 'write'), anyNetwork], ...(!guarded && writes)},
      {
        id: 'narrow',
        allowed_scopes: [path('docs/**', 'read'), path('work/**', 'write'), anyNetwork],
        ...writes,
      },
      {id: 'sub', allowed_scopes: [path('work/sub/**', 'write'), anyNetwork], ...writes},
    ],
    security: {
      allowed_scopes: [path('**', 'write'), anyNetwork],
      deny_overlays: ['secrets/**'],
      ...(backends && {sandbox: {backends}}),
    },
    policies: {
      default_decision: 'allow',
      ...(guarded && {
        rules: [{id: 'forbidden', trigger: 'on_tool_request', decision: 'deny', when: {tool: '*:forbidden'}}],
      }),
    },
  };
  // JSON is YAML.
  const text = JSON.stringify(spec, undefined, 2);
  writeFileSync(join(root, 'workspace.yaml'), text);
  return text;
}

function copyPack(root: string, id: string, guarded: boolean, patience: number): void {
  const folder = join(root, 'packs', id);
  cpSync(packFolder, folder, {recursive: true});
  const manifest = readFileSync(join(packFolder, 'manifest.yaml'), 'utf8')
    .replace('id: attack', `id: ${id}`)
    .replaceAll('name: attack:', `name: ${id}:`)
    .replaceAll('task_types: [attack]', `task_types: [${id}]`)
    .replaceAll(/timeout_ms: (\d+)/g, (_, ms) => `timeout_ms: ${Math.min(Number(ms) * patience, timeoutMsMax)}`);
  const unheld = manifest.replaceAll(/^ {4}(limits|timeout_ms|internal_only):.*\n( {6}.*\n)*/gm, '');
  writeFileSync(join(folder, 'manifest.yaml'), guarded ? manifest : unheld);
  const dependencies = {'@lumenflow/pack-sdk': '0.1.0'};
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({name: id, version: '0.1.0', type: 'module', dependencies}),
  );
}

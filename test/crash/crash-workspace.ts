// A workspace for crashes: its tools leave an effect outside of the state, so that real effects can be compared with
// records.
import type {Dispatcher, LoadedPack, PackSource} from '@lumenflow/kernel';
import {packIntegrity} from '@lumenflow/host';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {examplePack} from '../support/example-pack.ts';

const packFolder = join(import.meta.dirname, 'effects-pack');
const anyPath = (access: 'read' | 'write') => ({type: 'path', pattern: '**', access}) as const;

/** What effects-pack declares, as a kernel without a host loads it. */
export const effectsPack: LoadedPack = examplePack({
  id: 'effects',
  tools: [
    {name: 'effects:read', required_scopes: [anyPath('read')]},
    {name: 'effects:write', permission: 'write', writes: 'direct', required_scopes: [anyPath('write')]},
    {name: 'effects:slow', permission: 'write', required_scopes: [anyPath('write')]},
    {name: 'effects:fail', required_scopes: [anyPath('read')]},
    {name: 'effects:forbidden', required_scopes: [anyPath('read')]},
  ],
});

export const effectsPackSource: PackSource = {
  load: async () => ({packs: [effectsPack], problems: []}),
};

export const crashWorkspaceSpec: WorkspaceSpec = {
  id: 'crash',
  packs: [effectsPack.pin],
  lanes: [{id: 'core', allowed_scopes: [anyPath('write')]}],
  // As many calls as the log can take: those of the pool. `effects:slow` is transactional.
  security: {allowed_scopes: [anyPath('write')], direct_writes: ['effects:write']},
  policies: {
    default_decision: 'allow',
    rules: [{id: 'forbidden', trigger: 'on_tool_request', decision: 'deny', when: {tool: 'effects:forbidden'}}],
  },
};

export interface CrashWorkspace {
  /** Absolute. */
  readonly root: string;
  /** Receipts of all effects that happened so far. */
  effects(): readonly string[];
  remove(): void;
}

/** A folder with a workspace.yaml that a host can start on, too. */
export async function makeCrashWorkspace(): Promise<CrashWorkspace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-crash-')));
  const pin = {id: 'effects', version: '1.0.0', source: 'local' as const, path: relative(root, packFolder)};
  const hashed = await packIntegrity({workspaceRoot: root, pin: {...pin, integrity: 'dev'}});
  if (!hashed.ok) throw new Error(JSON.stringify(hashed.problem, undefined, 2));
  const packs = [{...pin, integrity: hashed.value.integrity, trust: 'in_process'}];
  // JSON is YAML.
  writeFileSync(join(root, 'workspace.yaml'), JSON.stringify({...crashWorkspaceSpec, packs}, undefined, 2));
  return {root, effects: () => effectsIn(root), remove: () => rmSync(root, {recursive: true})};
}

/** A kernel's own are lines, each written by one call; a host's are files, as its handlers can leave them. */
function effectsIn(root: string): readonly string[] {
  const [lines, folder] = [effectsFile(root), join(root, 'effects')];
  return [
    ...(existsSync(lines) ? readFileSync(lines, 'utf8').split('\n') : []),
    ...(existsSync(folder) ? readdirSync(folder) : []),
  ].filter((name) => name.startsWith('rcp-'));
}

export function effectsFile(root: string): string {
  return join(root, 'effects.log');
}

export interface StateFolders {
  readonly stateFolder: string;
  readonly keyFolder: string;
  /** Exists once something was archived. */
  readonly archiveFolder: string;
}

export function stateFolders(root: string): StateFolders {
  const of = (name: string): string => join(root, '.lumenflow', name);
  return {stateFolder: of('kernel'), keyFolder: of('keys'), archiveFolder: of('archive')};
}

/** What a call changes outside of the state: it has happened when this returns. */
export type Effect = (receiptId: string, tool: string) => void;

/** Runs the tools of `effectsPack`. */
export function createEffectsDispatcher(effect: Effect): Dispatcher {
  return {
    modeOf: () => 'pool',
    async dispatch({tool, receipt_id, input}) {
      if (tool.name === 'effects:fail') {
        return {output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message: 'as it should'}}};
      }
      if (tool.name === 'effects:slow') await sleep(300);
      effect(receipt_id, tool.name);
      return {output: {success: true, data: input}};
    },
    close: async () => undefined,
  };
}

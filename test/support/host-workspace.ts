// A real workspace in a temporary folder, on which a test starts real hosts: packs from disk, pool, sandbox, files.
import {startHost, type Host, type HostOptions, type Session} from '@lumenflow/host';
import type {PackPin, WorkspaceSpec} from '@lumenflow/schemas';
import {chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';

import {chosenSandbox} from './chosen-sandbox.ts';
import {copyBuilds, keepBuilds} from './kept-builds.ts';
import {removeTree} from './remove-tree.ts';

export interface HostWorkspaceWords {
  /** Replaces root keys of a workspace that allows everything; packs' own keys too. */
  readonly spec?: Partial<WorkspaceSpec>;
  /** Folders of packs to copy into the workspace, by pack id. */
  readonly copied?: Readonly<Record<string, string>>;
  /** Packs of the repository, used where they lie. */
  readonly firstParty?: readonly ('software-delivery' | 'agent-runtime')[];
  /** Tools that write directly where their manifests say so. */
  readonly direct?: readonly string[];
  /** Changes to pins, by pack id. */
  readonly pins?: Readonly<Record<string, Partial<PackPin>>>;
  /** More of workspace.yaml, as it would be written. */
  readonly yaml?: string;
  /** Text by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where to make the folder; default: that of the system for temporary files. */
  readonly parent?: string;
}

export interface HostWorkspace {
  /** Absolute, without symlinks. */
  readonly root: string;
  readonly spec: WorkspaceSpec;
  write(files: Readonly<Record<string, string>>): void;
  /** Starts a host; `remove` closes it. */
  start(options?: Partial<HostOptions>): Promise<Host>;
  /** Makes everything in the folder belong to this user. */
  giveTo(uid: number): void;
  remove(): Promise<void>;
}

export const everything: WorkspaceSpec['security']['allowed_scopes'] = [{type: 'path', pattern: '**', access: 'write'}];

const repository = join(import.meta.dirname, '..', '..');

export function makeHostWorkspace(words: HostWorkspaceWords = {}): HostWorkspace {
  const root = realpathSync(mkdtempSync(join(words.parent ?? tmpdir(), 'lumenflow-host-')));
  const hosts: Host[] = [];
  const {security, ...others} = words.spec ?? {};
  const sandbox = chosenSandbox();
  const spec = {
    ...openSpec,
    packs: pinsOf(root, words),
    ...others,
    security: {
      ...(sandbox && {sandbox}),
      ...(security ?? {allowed_scopes: everything, ...(words.direct && {direct_writes: [...words.direct]})}),
    },
  } as WorkspaceSpec;
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), {recursive: true});
      writeFileSync(join(root, path), text);
    }
  };
  for (const [id, folder] of Object.entries(words.copied ?? {})) {
    cpSync(folder, join(root, 'packs', id), {recursive: true});
  }
  // JSON is YAML; a line for each root key gives places to refer to.
  const lines = Object.entries(spec).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  write({'workspace.yaml': lines.join('') + (words.yaml ?? ''), ...words.files});
  let usesBuilds = words.firstParty !== undefined;
  return {
    root,
    spec,
    write,
    async start(options = {}) {
      // Not before: until a host starts, a workspace contains only what its test puts there.
      const isFirst = usesBuilds;
      usesBuilds = false;
      if (isFirst) copyBuilds(root);
      const host = await startHost({workspaceRoot: root, threads: 1, ...options});
      if (isFirst) keepBuilds(root);
      hosts.push(host);
      return host;
    },
    giveTo(uid) {
      chownSync(root, uid, uid);
      for (const entry of readdirSync(root, {recursive: true})) chownSync(join(root, String(entry)), uid, uid);
    },
    async remove() {
      await Promise.all(hosts.map((host) => host.close()));
      removeTree(root);
    },
  };
}

const openSpec = {
  id: 'acceptance',
  lanes: [{id: 'core', allowed_scopes: everything}],
  policies: {default_decision: 'allow'},
};

function pinsOf(root: string, {copied = {}, firstParty = [], pins = {}}: HostWorkspaceWords): readonly PackPin[] {
  const pin = (id: string, path: string): PackPin => ({
    id,
    version: '0.1.0',
    integrity: 'dev',
    source: 'local',
    path,
    ...pins[id],
  });
  return [
    ...Object.keys(copied).map((id) => pin(id, `packs/${id}`)),
    ...firstParty.map((id) => pin(id, relative(root, join(repository, 'packs', id)))),
  ];
}

/** Calls a tool that must succeed, and gives its data. */
export async function must(session: Session, tool: string, input: unknown = {}): Promise<Record<string, unknown>> {
  const output = await session.call(tool, input);
  if (!output.success) throw new Error(`\`${tool}\` failed: ${JSON.stringify(output.error)}`);
  return output.data as Record<string, unknown>;
}

/** The code that a call ends with, `success` when it succeeds. */
export async function codeOf(session: Session, tool: string, input: unknown = {}): Promise<string> {
  const output = await session.call(tool, input);
  return output.success ? 'success' : output.error.code;
}

// A workspace whose packs are MCP servers, and the commands that a person gives to have them.
import type {PackPin} from '@lumenflow/schemas';
import {everything, makeHostWorkspace, type HostWorkspace} from './host-workspace.ts';
import {runCommandForJson} from './lumenflow-program.ts';

export type PinnedTools = NonNullable<PackPin['tools']>;
export const within = (folder: string, access: 'read' | 'write') => [
  {type: 'path' as const, pattern: `${folder}/**`, access},
];

/** A workspace with pins of servers, which are written with its root: it is made first. */
export function makeUpstream(pinsOf: (root: string) => readonly PackPin[]): HostWorkspace {
  const workspace = makeHostWorkspace({files: {'docs/a.md': 'hello\n', 'secret.txt': 'hidden\n', 'memory/keep': ''}});
  pinIn(workspace, pinsOf(workspace.root));
  return workspace;
}

const policies = {
  default_decision: 'allow',
  rules: [
    {
      id: 'no-drafts',
      trigger: 'on_tool_request',
      decision: 'deny',
      when: {arguments: {'/path': {equals: 'docs/draft.md'}}},
    },
  ],
};

export function pinIn({write}: HostWorkspace, packs: readonly PackPin[]): void {
  const lanes = [{id: 'core', allowed_scopes: everything}];
  const spec = {id: 'upstream', packs, lanes, security: {allowed_scopes: everything}, policies};
  const lines = Object.entries(spec).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  write({'workspace.yaml': lines.join('')});
}

export async function run(root: string, ...args: readonly string[]): Promise<string> {
  const {document} = await runCommandForJson(args, {cwd: root});
  return JSON.stringify(document);
}

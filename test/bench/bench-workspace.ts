// A workspace in a temporary folder whose one pack has tools that do nothing.
import {packIntegrity, startHost, type Host, type HostOptions, type Session} from '@lumenflow/host';
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {opened} from '../support/opened.ts';

export interface BenchWorkspace {
  /** Absolute. */
  readonly root: string;
  remove(): void;
}

const packFolder = join(import.meta.dirname, 'noop-pack');

export async function makeBenchWorkspace(): Promise<BenchWorkspace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-')));
  const pin = {id: 'noop', version: '0.1.0', source: 'local' as const, path: relative(root, packFolder)};
  const hashed = await packIntegrity({workspaceRoot: root, pin: {...pin, integrity: 'dev'}});
  if (!hashed.ok) throw new Error(JSON.stringify(hashed.problem, undefined, 2));
  const spec = {
    id: 'bench',
    name: 'What a call costs',
    packs: [{...pin, integrity: hashed.value.integrity, trust: 'in_process'}],
    lanes: [{id: 'core', title: 'Core', wip_limit: 10, allowed_scopes: everything}],
    security: {allowed_scopes: everything, network_default: 'off', direct_writes: ['noop:*']},
    policies: {default_decision: 'allow'},
  };
  // JSON is YAML.
  writeFileSync(join(root, 'workspace.yaml'), JSON.stringify(spec, undefined, 2));
  return {root, remove: () => rmSync(root, {recursive: true})};
}

const everything = [
  {type: 'path', pattern: '**', access: 'read'},
  {type: 'path', pattern: '**', access: 'write'},
];

export interface BenchSession {
  readonly host: Host;
  /** Calls a tool that must succeed. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

/** A host on a new workspace, with a session that calls its tools. */
export async function openBenchSession(
  options: Pick<HostOptions, 'handlers' | 'warmSandboxes'> = {},
): Promise<BenchSession> {
  const workspace = await makeBenchWorkspace();
  const host = await startHost({workspaceRoot: workspace.root, env: process.env, ...options});
  const session: Session = opened(await host.openSession({by: 'bench'}));
  return {
    host,
    async call(tool, input = {path: 'a/b'}) {
      const output = await session.call(tool, input);
      if (!output.success) throw new Error(`\`${tool}\` failed: ${JSON.stringify(output.error)}`);
    },
    async close() {
      await host.close();
      workspace.remove();
    },
  };
}

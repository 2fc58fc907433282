// One call of a sandbox, without a host around it.
import {
  compileProfile,
  createHostFiles,
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxRequest,
} from '@lumenflow/sandbox';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';

/** A call that can be made again and again. `entryIn`: its handler, which may be written to the given folder. */
export async function openSandboxCall(
  options: Partial<SandboxOptions>,
  entryIn: (folder: string) => string,
  more: Pick<SandboxRequest, 'backendOptions' | 'warm'> = {},
): Promise<{readonly sandbox: Sandbox; run(): Promise<void>; close(): Promise<void>}> {
  const workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-')));
  const sandbox = createSandbox({searchPath: process.env['PATH'] ?? '', ...options});
  const scopes = {read: ['**'], write: [], network: {posture: 'off' as const, allowlist_entries: []}};
  const compiled = await compileProfile({
    workspaceRoot,
    grant: scopes,
    denyOverlays: [],
    home: homedir(),
    runtimePaths: sandbox.runtimePaths,
    limits: {},
    env: sandbox.baseEnv,
    compilePattern: (pattern) => (path) => path === pattern,
    files: createHostFiles(),
  });
  if (!compiled.ok) throw new Error(compiled.problem);
  const profile = compiled.value;
  const invocation = {
    protocol: 1 as const,
    tool_name: 'bench:call',
    handler_entry: entryIn(workspaceRoot),
    input: null,
    scope_enforced: scopes,
    receipt_id: 'rcp-1',
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'session-1',
    lane_id: 'core',
    workspace_root: workspaceRoot,
    config: null,
    env: {},
  };
  return {
    sandbox,
    async run() {
      const {exitCode, stderr, output} = await sandbox.execute({profile, invocation, wallMs: 10_000, ...more});
      if (exitCode !== 0) throw new Error(`the sandbox failed: ${stderr} ${JSON.stringify(output.error)}`);
    },
    async close() {
      await sandbox.close();
      rmSync(workspaceRoot, {recursive: true});
    },
  };
}

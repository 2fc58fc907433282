// A tool's context for tests: files in memory, everything else unavailable.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {PackConfig} from './pack-config.ts';

export function createTestContext(
  config: PackConfig,
  files: Readonly<Record<string, string>> = {},
  progress: unknown[] = [],
): ToolContext<PackConfig> {
  const outOfReach = (): never => {
    throw new Error('not available in this test context');
  };
  const readText = async (path: string): Promise<string> => {
    const text = files[path];
    if (text === undefined) throw new ToolError('NOT_FOUND', `\`${path}\` does not exist`);
    return text;
  };
  return {
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'session-1',
    receipt_id: 'rcp-1',
    lane_id: 'core',
    workspace_root: '/workspace',
    granted_scopes: {read: ['**'], write: [], network: {posture: 'off', allowlist_entries: []}},
    config,
    env: {},
    signal: new AbortController().signal,
    progress: async (payload) => void progress.push(payload),
    log: {debug: () => {}, info: () => {}, warn: () => {}, error: () => {}},
    callTool: outOfReach,
    fs: {
      readText,
      read: async (path) => new TextEncoder().encode(await readText(path)),
      write: outOfReach,
      list: outOfReach,
      stat: outOfReach,
      remove: outOfReach,
    },
    state: outOfReach,
    stateNames: outOfReach,
    exec: outOfReach,
  };
}

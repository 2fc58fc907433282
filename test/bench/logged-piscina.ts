// What any runtime pays that logs its calls: bare Piscina between two records, each encoded, chained by SHA-256 and appended to a
// file. No call is decided, checked or scoped.
import {createHash} from 'node:crypto';
import {closeSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Piscina} from 'piscina';

export interface LoggedPiscina {
  call(): Promise<void>;
  close(): void;
}

export function openLoggedPiscina(piscina: Piscina): LoggedPiscina {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-bench-'));
  const fd = openSync(join(folder, 'records'), 'a');
  const input = {path: 'a/b'};
  let prev = '';
  let seq = 0;
  let lines: string[] = [];
  const append = (record: object): void => {
    const line = JSON.stringify({seq: ++seq, prev, timestamp: new Date().toISOString(), ...record});
    prev = createHash('sha256').update(line).digest('hex');
    // Records of one turn of the event loop share a write.
    if (lines.push(line) === 1) setImmediate(flush);
  };
  const flush = (): void => {
    writeSync(fd, `${lines.join('\n')}\n`);
    lines = [];
  };
  return {
    async call() {
      const receipt_id = `rcp-${seq}`;
      const input_hash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
      append({kind: 'tool_call_started', receipt_id, tool_name: 'noop:read', input_hash, ...subject});
      const output: unknown = await piscina.run(input);
      const output_hash = createHash('sha256').update(JSON.stringify(output)).digest('hex');
      append({kind: 'tool_call_finished', receipt_id, result: 'success', output_hash, duration_ms: 1});
    },
    close() {
      if (lines.length > 0) flush();
      closeSync(fd);
      rmSync(folder, {recursive: true});
    },
  };
}

/** As many words as a real intent has about who called, where, and what decided. */
const subject = {
  task_id: 'session-1',
  run_id: 'run-1',
  session_id: 'session-1',
  lane_id: 'core',
  workspace_id: 'bench',
  pack_id: 'noop',
  pack_integrity: `sha256:${'1'.repeat(64)}`,
  execution_mode: 'pool',
  scope_requested: [{type: 'path', pattern: '**', access: 'read'}],
  scope_enforced: {paths: [{type: 'path', pattern: '**', access: 'read'}], network: {posture: 'off'}},
  policy_decisions: [{rule_id: 'kernel.policy.allow-all', layer: 'workspace', decision: 'allow'}],
};

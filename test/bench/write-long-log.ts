// Writes a log of any number of records, much faster than the pipeline: lines chained by their hashes, in segments, in the format of
// the state on files. The next process signs its head.
import {sha256Hex} from '@lumenflow/kernel/node';
import {closeSync, mkdirSync, openSync, writeSync} from 'node:fs';
import {join} from 'node:path';

const segmentBytes = 64 * 1024 * 1024;
const linesPerWrite = 2_000;
/** Calls that are under way at once. */
const open = 32;

/** Two records for each call, of a hundred tasks and fifty tools, a call each tenth of a second. */
export function writeLongLog(folder: string, records: number): void {
  mkdirSync(folder, {recursive: true});
  let prev = '0'.repeat(64);
  let fd: number | undefined;
  let size = 0;
  let lines: string[] = [];
  const flush = (seq: number): void => {
    if (fd !== undefined) size += writeSync(fd, lines.join(''));
    lines = [];
    if (fd !== undefined && size < segmentBytes) return;
    if (fd !== undefined) closeSync(fd);
    fd = openSync(join(folder, `${String(seq).padStart(16, '0')}.jsonl`), 'wx');
    size = 0;
  };
  flush(1);
  for (let seq = 1; seq <= records; seq += 1) {
    const line = `{"seq":${seq},"prev":"${prev}",${bodyOf(seq)}`;
    prev = sha256Hex(line);
    lines.push(`${line}\n`);
    if (lines.length === linesPerWrite) flush(seq + 1);
  }
  flush(records + 1);
  if (fd !== undefined) closeSync(fd);
}

export function receiptOf(call: number): string {
  return `rcp-00000000-0000-4000-8000-${String(call).padStart(12, '0')}`;
}

function bodyOf(seq: number): string {
  const ends = seq > open && seq % 2 === 0;
  const call = ends ? seq / 2 - open / 2 : seq <= open ? seq : (seq - 1) / 2 + open / 2 + 1;
  const timestamp = new Date(Date.UTC(2026, 0, 1) + seq * 50).toISOString();
  const head = `"receipt_id":"${receiptOf(call)}","timestamp":"${timestamp}"`;
  if (ends) {
    const result = call % 50 === 0 ? 'failure' : 'success';
    return `"type":"tool_call_finished",${head},"result":"${result}","duration_ms":0.25}`;
  }
  const ids = `"task_id":"task-${Math.floor(call / 5_000)}","session_id":"session-${Math.floor(call / 2_500)}"`;
  const more =
    `"process_id":"bench.0.0.0.1","run_id":"run-1","lane_id":"core","pack_id":"noop","pack_version":"0.1.0",` +
    `"pack_integrity":"sha256:${'1'.repeat(64)}","execution_mode":"pool","spec_hash":"${'ab'.repeat(32)}",` +
    `"scope_enforced":{"read":["**"],"write":[],"network":{"posture":"off","allowlist_entries":[]}},` +
    `"policy_decisions":[{"decision":"allow","layer":"workspace","rule_id":"default"}]}`;
  return `"type":"tool_call_started",${head},${ids},"tool_name":"noop:v${call % 50}",${more}`;
}

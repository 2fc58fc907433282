// The invariants of calls: nothing acknowledged is lost, nothing happened without a recorded intent, no result is ever rewritten,
// and open calls of a dead process are closed as crashed.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Acknowledgement} from './acknowledgement.ts';
import type {Expected, RecordedCall, RecordedCalls} from './expected.ts';
import type {LogLine} from './read-log.ts';

export async function checkCalls(
  runtime: KernelRuntime,
  records: readonly LogLine[],
  expected: Expected,
  problems: string[],
): Promise<RecordedCalls> {
  const calls = foldCalls(records, problems);
  const reported = expected.reported.flatMap((one) => (one.kind === 'call' ? [one] : []));
  for (const {receipt_id, result} of reported) {
    const recorded = calls.get(receipt_id)?.result ?? 'nothing';
    if (recorded !== result) problems.push(`${receipt_id} was acknowledged as ${result}, recorded is ${recorded}`);
  }
  checkEffects(calls, reported, expected.effects, problems);
  const known = [...reported.map(({receipt_id}) => receipt_id), ...expected.effects];
  await checkBlobs(runtime, known, expected.expiredThrough ?? 0, problems);
  for (const [receiptId, {result}] of expected.earlier ?? []) {
    const now = calls.get(receiptId)?.result;
    if (result !== undefined && now !== result) problems.push(`${receiptId} was ${result} and is ${String(now)} now`);
  }
  checkClosed(calls, expected, problems);
  await checkReader(runtime, calls, problems);
  return calls;
}

/** What the lines say, read without the kernel. */
function foldCalls(records: readonly LogLine[], problems: string[]): Map<string, RecordedCall> {
  const calls = new Map<string, RecordedCall>();
  for (const {type, seq, ...record} of records) {
    const receiptId = String(record['receipt_id']);
    const call = calls.get(receiptId);
    if (type === 'tool_call_started') {
      if (call !== undefined) problems.push(`line ${seq} begins ${receiptId} again`);
      calls.set(receiptId, {pid: Number(String(record['process_id']).split('.')[2])});
    } else if (call === undefined) {
      problems.push(`line ${seq} continues ${receiptId}, which did not begin`);
    } else if (type === 'tool_call_finished') {
      if (call.result !== undefined) problems.push(`line ${seq} ends ${receiptId} again, which was ${call.result}`);
      calls.set(receiptId, {...call, result: String(record['result'])});
    }
  }
  return calls;
}

type ReportedCall = Extract<Acknowledgement, {kind: 'call'}>;

function checkEffects(
  calls: RecordedCalls,
  reported: readonly ReportedCall[],
  effects: readonly string[],
  problems: string[],
): void {
  const happened = new Set(effects);
  if (happened.size < effects.length) problems.push(`${effects.length - happened.size} effects happened twice`);
  for (const receiptId of happened) {
    const call = calls.get(receiptId);
    if (call === undefined) problems.push(`${receiptId} had its effect without a recorded intent`);
    if (call?.result === 'denied' || call?.result === 'failure') {
      problems.push(`${receiptId} had its effect and is ${call.result}`);
    }
  }
  for (const {receipt_id, result, tool} of reported) {
    if (tool === 'effects:read') continue;
    if (result === 'success' && !happened.has(receipt_id)) problems.push(`${receipt_id} succeeded without its effect`);
  }
}

/** Acknowledged records exist, with their contents. */
async function checkBlobs(
  runtime: KernelRuntime,
  receiptIds: readonly string[],
  expiredThrough: number,
  problems: string[],
): Promise<void> {
  for (const receiptId of new Set(receiptIds)) {
    const {started, finished} = (await runtime.evidence.receipt(receiptId)) ?? {};
    for (const [ref, seq] of [
      [started?.input_ref, started?.seq],
      [finished?.output_ref, finished?.seq],
    ] as const) {
      if (ref === undefined || seq === undefined) continue;
      const text = await runtime.evidence.readBlob(ref).catch(String);
      if (text === undefined && seq <= expiredThrough) continue;
      if (text?.startsWith('{') !== true)
        problems.push(`${receiptId} refers to \`${ref}\`, which is not there: ${String(text)}`);
    }
  }
}

function checkClosed(calls: RecordedCalls, {mayBeCrashed = () => true}: Expected, problems: string[]): void {
  for (const [receiptId, {pid, result}] of calls) {
    if (result === undefined) problems.push(`${receiptId} of a process that is dead is still open`);
    if (result === 'crashed' && !mayBeCrashed(pid))
      problems.push(`${receiptId} of process ${pid}, which lived, was closed`);
  }
}

/** The kernel's answers match the files. */
async function checkReader(runtime: KernelRuntime, calls: RecordedCalls, problems: string[]): Promise<void> {
  const {receipts} = await runtime.evidence.readTraces({limit: Number.MAX_SAFE_INTEGER});
  if (receipts.length !== calls.size) problems.push(`${receipts.length} receipts are read of ${calls.size} calls`);
  for (const {receipt_id, finished} of receipts) {
    const result = calls.get(receipt_id)?.result;
    if (finished?.result === result) continue;
    problems.push(`${receipt_id} is read as ${String(finished?.result)}, recorded is ${String(result)}`);
  }
}

// Records a gate run in the pack's log, and reads which gates need not run again.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {stampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {RecordedGate} from './gate-event.ts';
import {gateRecords, passKey, type Pass} from './gate-records.ts';
import {lastLines, type GateReport, type GateResult} from './gate-report.ts';
import type {Gate} from './plan-gates.ts';
import {gateHash} from './run-gates-in-order.ts';

type CallContext = Pick<ToolContext, 'session_id' | 'task_id' | 'receipt_id'>;

export async function recordRun(
  log: DeliveryLog,
  call: CallContext,
  report: GateReport,
  gates: readonly Gate[],
): Promise<void> {
  const {tree_hash, config_hash, passed} = report;
  const recorded = await Promise.all(report.gates.map((result, index) => recordedGate(result, gates[index])));
  const {task_id, receipt_id} = call;
  const duration_ms = report.gates.reduce((total, gate) => total + gate.duration_ms, 0);
  const words = {task_id, receipt_id, tree_hash, config_hash, passed, duration_ms, gates: recorded};
  await log.decide(gateRecords, () => ({
    events: [{type: 'gates_recorded' as const, ...stampOf(call), ...words}],
    result: undefined,
  }));
}

/**
 * By `passKey`. Other gates measure the coverage: if the coverage gate has no earlier pass, all gates run, because otherwise
 * there would be no report.
 */
export async function passesOn(
  log: DeliveryLog,
  treeHash: string,
  gates: readonly Gate[],
): Promise<Readonly<Record<string, Pass>>> {
  const {passes} = await log.read(gateRecords);
  const coverage = gates.find((gate) => gate.coverage !== undefined);
  const isKnown = coverage === undefined || passKey(treeHash, await gateHash(coverage)) in passes;
  return isKnown ? passes : {};
}

async function recordedGate(result: GateResult, gate: Gate | undefined): Promise<RecordedGate> {
  const {name, passed, optional, duration_ms, cached_from, waived, skipped, not_triggered, output_tail} = result;
  return {
    name,
    gate_hash: gate === undefined ? '' : await gateHash(gate),
    passed,
    optional,
    duration_ms,
    ...(cached_from !== undefined && {cached_from}),
    ...(waived !== undefined && {waived}),
    ...(skipped && {skipped}),
    ...(not_triggered && {not_triggered}),
    ...(!passed && output_tail !== '' && {output_tail: lastLines(output_tail)}),
  };
}

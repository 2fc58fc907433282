// Gates as policy: a task is not completed unless each required gate passed after the last call that may have
// changed something. It reads recorded evidence only; what an agent claims does not enter.
import {definePolicyFactory, type FactoryRule, type PolicyFactory, type TaskEvidence} from '@lumenflow/pack-sdk';
import type {GateReport, GateResult} from '../gates/gate-report.ts';
import {planGates, type Gate} from '../gates/plan-gates.ts';
import type {PackConfig} from '../pack-config.ts';

/** They record and stage what is there, and change no file that a gate looks at. */
const changesNothing: readonly string[] = ['gates', 'git:add', 'git:commit'];

export const gatePolicy: PolicyFactory<PackConfig> = definePolicyFactory(({config}) =>
  planGates(config)
    .filter(({optional}) => !optional)
    .map(gateRule),
);

function gateRule(gate: Gate): FactoryRule {
  return {
    id: `software-delivery.gate.${gate.name}`,
    trigger: 'on_completion',
    decision: 'deny',
    reason: `gate \`${gate.name}\` has not passed since the task's last change: run the \`gates\` tool, then complete the task`,
    when: ({evidence}) => !hasPassed(gate, evidence ?? []),
  };
}

/** The last run of the gate decides: a pass before a failure is worth nothing. */
function hasPassed(gate: Gate, evidence: readonly TaskEvidence[]): boolean {
  const call = evidence.findLast((ran) => findResult(gate, ran) !== undefined);
  if (call === undefined || !isPass(gate, call)) return false;
  return !evidence.some((other) => mayHaveChanged(other) && !endedBefore(other, call));
}

/** A call that began before the gate may have ended while the gate ran, or not yet. */
function endedBefore(other: TaskEvidence, call: TaskEvidence): boolean {
  return other.finished_seq !== undefined && other.finished_seq < call.started_seq;
}

function isPass(gate: Gate, call: TaskEvidence): boolean {
  const result = findResult(gate, call);
  return result?.passed === true && result.command === gate.command;
}

function findResult(gate: Gate, call: TaskEvidence): GateResult | undefined {
  return reportOf(call)?.gates?.find(({name, skipped}) => name === gate.name && skipped !== true);
}

/** Evidence is data: its shape is looked at, not trusted. */
function reportOf({tool_name: name, result, data}: TaskEvidence): Partial<GateReport> | undefined {
  if (name !== 'gates' || result !== 'success' || typeof data !== 'object' || data === null) return undefined;
  return Array.isArray((data as Partial<GateReport>).gates) ? data : undefined;
}

/** A call that failed or crashed may have written before it did; a denied one never ran. */
function mayHaveChanged({tool_name: name, permission, result}: TaskEvidence): boolean {
  return permission !== 'read' && result !== 'denied' && !changesNothing.includes(name);
}

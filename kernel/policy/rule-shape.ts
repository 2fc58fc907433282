// Checks the shape of a rule before its `when`. YAML rules were validated against their schema; a factory is a pack's code and may
// return anything.
import {cutText} from '../cut-text.ts';
import type {PolicyTrigger} from '@lumenflow/schemas';
import {isRecord} from './is-record.ts';
import {isPolicyOutcome} from './layer-decision.ts';

export const policyTriggers: readonly PolicyTrigger[] = [
  'on_tool_request',
  'on_claim',
  'on_completion',
  'on_evidence_added',
  'on_changes',
  'on_tool_result',
];

export function isPolicyTrigger(value: unknown): value is PolicyTrigger {
  return policyTriggers.some((trigger) => trigger === value);
}

export function isRuleId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(value);
}

export interface ShapeProblem {
  readonly pointer: string;
  readonly message: string;
}

export function shapeProblems(rule: unknown): readonly ShapeProblem[] {
  if (!isRecord(rule)) return [{pointer: '', message: 'a rule must be an object with `id`, `trigger` and `decision`'}];
  const {id, trigger, decision, reason, self_approval, channel, mode, when, examples, evidence_data} = rule;
  const checks: readonly (readonly [boolean, string, string])[] = [
    [isRuleId(id), '/id', `\`${show(id)}\` is not a rule id: letters, digits and \`._:-\`, 128 at most`],
    [isPolicyTrigger(trigger), '/trigger', `unknown trigger \`${show(trigger)}\`: one of ${policyTriggers.join(', ')}`],
    [
      isPolicyOutcome(decision),
      '/decision',
      `unknown decision \`${show(decision)}\`: allow, deny or approval_required`,
    ],
    [reason === undefined || typeof reason === 'string', '/reason', 'a reason is a text'],
    [
      self_approval === undefined || typeof self_approval === 'boolean',
      '/self_approval',
      'self_approval is true or false',
    ],
    [channel === undefined || channel === 'inband', '/channel', 'the channel is `inband`, or not said'],
    [mode === undefined || mode === 'observe', '/mode', 'the mode is `observe`, or is left out'],
    [
      mode === undefined || trigger !== 'on_evidence_added',
      '/mode',
      'a rule of on_evidence_added undoes nothing: leave the mode out',
    ],
    [when === undefined || typeof when === 'function' || isRecord(when), '/when', '`when` is a matcher, or a function'],
    [examples === undefined || Array.isArray(examples), '/examples', 'examples are a list'],
    [
      evidence_data === undefined || isListOfTexts(evidence_data),
      '/evidence_data',
      '`evidence_data` is a list of names',
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, pointer, message]) => ({pointer, message}));
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function show(value: unknown): string {
  return typeof value === 'string' ? cutText(value, 200) : typeof value;
}

// A workspace with one rule about paths, beside a default of the other kind.
import type {PolicyMatcher, PolicyOutcome} from '@lumenflow/schemas';
import {expect} from 'vitest';
import {compilePolicyLayer, evaluatePolicy, type TouchedPath} from './index.ts';
import {policyPorts} from './policy-ports.fixture.ts';

export function compileTouchedRule(
  decision: PolicyOutcome,
  when: PolicyMatcher,
): ReturnType<typeof compilePolicyLayer> {
  return compilePolicyLayer({
    layer: 'workspace',
    default_decision: decision === 'allow' ? 'deny' : 'allow',
    rules: [{rule: {id: 'r', trigger: 'on_tool_request', decision, when}, where: 'workspace.yaml:1:1'}],
    ports: policyPorts,
  });
}

/** The decision about a request that touches these paths. */
export function decideTouched(
  decision: PolicyOutcome,
  when: PolicyMatcher,
  touched?: readonly TouchedPath[],
): PolicyOutcome {
  const {layer, problems} = compileTouchedRule(decision, when);
  expect(problems).toEqual([]);
  const context = {trigger: 'on_tool_request' as const, run_id: 'run-1', tool_name: 't:t'};
  const request = {context, ...(touched && {touched})};
  return evaluatePolicy({layers: {workspace: layer}, allowLoosening: [], request}).decision;
}

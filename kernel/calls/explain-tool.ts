// The decision about a call, and its reasons: the pipeline's own stages, without running or recording anything.
import type {GrantedScopes, PolicyDecision, ToolFailure} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {SchemaIssue} from '../packs/loaded-pack.ts';
import {explainPolicy, type PolicyExplanation} from '../policy/index.ts';
import {grow, isRefusal, refuse, type CanonicalCall, type NarrowedCall, type Refusal} from './call.ts';
import {changesRules} from './decide-changes.ts';
import {toolQuestion} from './policy-question.ts';
import {executionMode, type CallHome} from './execution-mode.ts';
import {pathVerdicts, type PathVerdict} from './path-verdicts.ts';
import {readInput} from './read-input.ts';
import {resultRules} from './result-judge.ts';
import {simulateCall, type SimulatedRequest} from './simulate-call.ts';

export interface Explanation {
  readonly tool_name: string;
  readonly decision: 'allow' | 'deny' | 'approval_required';
  /** Why the call would be refused. */
  readonly failure?: ToolFailure;
  readonly granted_scopes?: GrantedScopes;
  readonly policy?: PolicyExplanation;
  readonly policy_decisions: readonly PolicyDecision[];
  /** What does not match the input schema. */
  readonly input_issues: readonly SchemaIssue[];
  /** The paths that the input names, and whether the call may touch them. */
  readonly paths: readonly PathVerdict[];
  /** The rules of on_changes that judge what the call changes once it has succeeded, each with its decision if it matches. */
  readonly on_changes: readonly PolicyDecision[];
  /** The rules of on_tool_result that judge what the call returns, each with its decision if it matches. */
  readonly on_result: readonly PolicyDecision[];
  readonly execution_mode?: CallHome;
}

export async function explainTool(kernel: Kernel, request: SimulatedRequest): Promise<Explanation> {
  const narrowed = await simulateCall(kernel, request);
  const call = isRefusal(narrowed) ? narrowed : withInput(narrowed);
  if (!isRefusal(call)) return await explainCall(kernel, call);
  return {
    tool_name: request.name,
    decision: 'deny',
    failure: call.failure,
    policy_decisions: call.refused.policy_decisions ?? [],
    input_issues: [],
    paths: [],
    on_changes: [],
    on_result: [],
  };
}

/** The input as the call would store it. Without an input, the explanation covers only what does not depend on it. */
function withInput(call: NarrowedCall): CanonicalCall | Refusal {
  const {input} = call.request;
  if (input === undefined) return call;
  const read = readInput(call.tool, input);
  if (read.ok) return grow(call, {request: {...call.request, input: read.value}, paths: read.paths});
  const {code, message, details} = read.problem;
  return refuse(call, code, message, details);
}

async function explainCall(kernel: Kernel, call: CanonicalCall): Promise<Explanation> {
  const policy = explainPolicy(await toolQuestion(kernel, call));
  return {
    tool_name: call.tool.name,
    decision: policy.decision,
    granted_scopes: call.scope_enforced,
    policy,
    policy_decisions: policy.decisions,
    input_issues: call.tool.validateInput(call.request.input),
    paths: await pathVerdicts(call.paths ?? [], call.grant, {
      paths: kernel.ports.paths,
      whyNotWrite: (path) => {
        const {dispatcher} = kernel.ports;
        if (dispatcher.whyNotWrite === undefined) return call.grant.whyNot(path, 'write');
        return dispatcher.whyNotWrite(path, call.grant, kernel.workspace.trustedPaths);
      },
    }),
    on_changes: policy.decision === 'deny' ? [] : changesRules(kernel, call),
    on_result: policy.decision === 'deny' ? [] : resultRules(kernel, call),
    execution_mode: executionMode(kernel, call),
  };
}

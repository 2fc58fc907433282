// What would become of a call, and why: the pipeline's own stages, with nothing run and nothing recorded.
import type {GrantedScopes, PolicyDecision, ToolFailure} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import type {SchemaIssue} from '../packs/loaded-pack.ts';
import {explainPolicy, type PolicyExplanation} from '../policy/index.ts';
import {isRefusal, type NarrowedCall} from './call.ts';
import {toolQuestion} from './decide-call.ts';
import {modeOf, type CallHome} from './mode-of.ts';
import {supposeCall, type SupposedRequest} from './suppose-call.ts';

export interface Explanation {
  readonly tool_name: string;
  readonly decision: 'allow' | 'deny' | 'approval_required';
  /** Why the call would be refused. */
  readonly failure?: ToolFailure;
  readonly granted_scopes?: GrantedScopes;
  readonly policy?: PolicyExplanation;
  readonly policy_decisions: readonly PolicyDecision[];
  /** What does not fit the input schema. */
  readonly input_issues: readonly SchemaIssue[];
  readonly execution_mode?: CallHome;
}

export async function explainTool(kernel: Kernel, request: SupposedRequest): Promise<Explanation> {
  const narrowed = await supposeCall(kernel, request);
  if (isRefusal(narrowed)) {
    return {
      tool_name: request.name,
      decision: 'deny',
      failure: narrowed.failure,
      policy_decisions: narrowed.refused.policy_decisions ?? [],
      input_issues: [],
    };
  }
  return await explainNarrowed(kernel, narrowed);
}

async function explainNarrowed(kernel: Kernel, call: NarrowedCall): Promise<Explanation> {
  const policy = explainPolicy(await toolQuestion(kernel, call));
  return {
    tool_name: call.tool.name,
    decision: policy.decision,
    granted_scopes: call.scope_enforced,
    policy,
    policy_decisions: policy.decisions,
    input_issues: call.tool.validateInput(call.request.input),
    execution_mode: modeOf(kernel, call),
  };
}

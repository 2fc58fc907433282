// Scopes and the reserved path: what workspace, lane, task and tool all allow, less every hole.
import type {Kernel} from '../kernel.ts';
import {isScopeDenial} from '../scopes/index.ts';
import {refuse, type FoundCall, type Growing, type NarrowedCall, type Refusal} from './call.ts';

export function narrowScopes(kernel: Kernel, call: FoundCall): NarrowedCall | Refusal {
  const {tool, task, lane} = call;
  const grant = kernel.grants.of(task, tool, [kernel.workspace.scopes, lane.scopes, task.scopes, tool.scopes]);
  if (!isScopeDenial(grant)) {
    const narrowed = call as Growing<NarrowedCall>;
    narrowed.grant = grant;
    narrowed.scope_enforced = grant.toGrantedScopes();
    return narrowed;
  }
  const {rule_id, access, layer, where, message, help} = grant;
  return refuse(
    {...call, policy_decisions: [{decision: 'deny', layer: 'kernel', rule_id, reason: message, where}]},
    'SCOPE_DENIED',
    message,
    {rule_id, access, layer, where, remedy: help},
  );
}

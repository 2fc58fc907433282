// Scopes and the reserved path: what workspace, lane, task, tool and the calls that lead to this one all allow, less
// every hole.
import type {Kernel} from '../context/kernel.ts';
import type {ScopeLayer} from '../scopes/index.ts';
import {grow, refuse, type FoundCall, type NarrowedCall, type Refusal} from './call.ts';

export function narrowScopes(kernel: Kernel, call: FoundCall): NarrowedCall | Refusal {
  const {tool, task, lane} = call;
  const callers = callersOf(kernel, call);
  const ofTask = task.toolScopes?.get(tool.name) ?? task.scopes;
  const layers = [kernel.workspace.scopes, lane.scopes, ofTask, ...callers, tool.scopes];
  const granted = kernel.grants.of(task, tool, layers);
  if (granted.ok) {
    const grant = granted.value;
    return grow(call, {grant, callers, scope_enforced: grant.toGrantedScopes()});
  }
  const {rule_id, access, layer, where, message, help} = granted.problem;
  return refuse(
    {...call, policy_decisions: [{decision: 'deny', layer: 'kernel', rule_id, reason: message, where}]},
    'SCOPE_DENIED',
    message,
    {rule_id, access, layer, where, remedy: help},
  );
}

const nobody: readonly ScopeLayer[] = [];

/**
 * A check that the kernel makes before a transition has no callers: the pack's own check decides there. A preview has the callers of
 * the call that it shows. Code of a caller has the scopes of that caller.
 */
function callersOf(kernel: Kernel, {tool, request: {parent, checks, previews}}: FoundCall): readonly ScopeLayer[] {
  if (parent === undefined || checks !== undefined) return nobody;
  if (previews !== undefined || parent.tool.runs_caller_code === true) return parent.callers;
  return kernel.callerScopes.of(parent.tool, parent.grant, parent.callers, tool.name);
}

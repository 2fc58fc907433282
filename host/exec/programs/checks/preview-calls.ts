// What policy says of each call of a program, and what all calls together may touch.
import type {Explanation, KernelRuntime, LaneContext} from '@lumenflow/kernel';
import type {GrantedScopes, ProgramCall, ProgramStep} from '@lumenflow/schemas';
import {compileTemplate} from '../document/compile-template.ts';
import {innerSteps} from '../document/inner-steps.ts';
import type {ProgramDocument} from '../document/read-program.ts';

export interface CallsPreview {
  readonly calls: readonly ProgramCall[];
  readonly scopes: GrantedScopes;
}

export async function previewCalls(
  runtime: Pick<KernelRuntime, 'explainTool' | 'workspace'>,
  {program, locate}: Pick<ProgramDocument, 'program' | 'locate'>,
  context: LaneContext,
): Promise<CallsPreview> {
  const calls: ProgramCall[] = [];
  const granted: GrantedScopes[] = [];
  for (const {step, at} of callSteps(program.steps, '/steps')) {
    const {call: tool_id = '', args = {}} = step;
    if (!runtime.workspace.tools.has(tool_id)) continue;
    const {expressions} = compileTemplate(args);
    // Rules and paths are judged only when all arguments are known.
    const explained = await runtime.explainTool(tool_id, expressions.length === 0 ? args : undefined, context);
    if (explained.granted_scopes) granted.push(explained.granted_scopes);
    const reason = reasonOf(explained);
    const policy = policies[explained.decision];
    calls.push({step: at, tool_id, where: locate(`${at}/call`), policy, ...(reason !== undefined && {reason})});
  }
  return {calls, scopes: unionOf(granted)};
}

const policies = {allow: 'allowed', deny: 'denied', approval_required: 'approval_required'} as const;

function reasonOf({decision, failure, policy_decisions}: Explanation): string | undefined {
  if (decision === 'allow') return undefined;
  const deciding = policy_decisions.find((each) => each.decision === decision);
  return failure?.message ?? deciding?.reason ?? deciding?.rule_id;
}

interface PlacedStep {
  readonly step: ProgramStep;
  readonly at: string;
}

function callSteps(steps: readonly ProgramStep[], at: string): readonly PlacedStep[] {
  return steps.flatMap((step, index) => {
    const own = step.call === undefined ? [] : [{step, at: `${at}/${index}`}];
    return [...own, ...innerSteps(step).flatMap((list) => callSteps(list.steps, `${at}/${index}${list.pointer}`))];
  });
}

const postures: readonly GrantedScopes['network']['posture'][] = ['off', 'allowlist', 'full'];

function unionOf(granted: readonly GrantedScopes[]): GrantedScopes {
  const sorted = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].toSorted();
  const posture = Math.max(0, ...granted.map(({network}) => postures.indexOf(network.posture)));
  return {
    read: sorted(granted.map(({read}) => read)),
    write: sorted(granted.map(({write}) => write)),
    network: {
      posture: postures[posture] ?? 'off',
      allowlist_entries: sorted(granted.map(({network}) => network.allowlist_entries)),
    },
  };
}

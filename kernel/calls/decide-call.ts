// Policy: the four layers decide. Whether a person has agreed is asked once the input is known to be valid.
import type {PolicyTrigger, TaskEvidence} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import {isKernelTool} from '../kernel-tools/answer-kernel-tool.ts';
import {isPromise, type MaybePromise} from '../maybe-promise.ts';
import {
  evaluatePolicy,
  evidenceDataOf,
  looksAtPaths,
  requestInput,
  type PolicyLayers,
  type PolicyQuestion,
  type PolicyResult,
} from '../policy/index.ts';
import {touchedFiles, touchedPaths} from '../paths/touched-paths.ts';
import {readTaskEvidence} from '../transitions/task-evidence.ts';
import {policyStack} from '../workspace/policy-stack.ts';
import {
  refuse,
  type CanonicalCall,
  type CheckedCall,
  type DecidedCall,
  type FoundCall,
  type Growing,
  type PersistedCall,
  type PreviewedCall,
  type Refusal,
} from './call.ts';

export function decideCall(kernel: Kernel, call: PersistedCall): MaybePromise<DecidedCall | Refusal> {
  const {previews} = call.request;
  if (previews) return decidePreview(call, previews);
  const question = toolQuestion(kernel, call);
  if (isPromise(question)) return question.then((asked) => decideQuestion(call, asked));
  return decideQuestion(call, question);
}

/**
 * A preview is a part of its tool: the rules that decided about the call have decided about it, and what it reports goes
 * to the person who is asked. Rules of their own could wait for a person who waits for the preview.
 */
function decidePreview(call: PersistedCall, {policy_decisions}: PreviewedCall): DecidedCall {
  const decided = call as Growing<DecidedCall>;
  decided.policy_decisions = policy_decisions;
  return decided;
}

function decideQuestion(call: PersistedCall, question: PolicyQuestion): DecidedCall | Refusal {
  const result = evaluatePolicy(question);
  const decided = call as Growing<DecidedCall>;
  decided.policy_decisions = result.decisions;
  const {evidence} = question.request.context;
  if (evidence !== undefined) decided.calls_seen = evidence;
  if (result.decision === 'allow') return decided;
  if (result.decision === 'deny') return denyByPolicy(decided, result);
  decided.asks = result;
  return decided;
}

/**
 * Calls that are decided at the same moment do not see each other, but their intents stand in one order: a call that was
 * decided by what its task had called is decided once more on all that came before its intent. So of two that would
 * both be the last within a limit, one is. Undefined when that changes nothing.
 */
export async function denyOvertaken(
  kernel: Kernel,
  call: CheckedCall,
  seen: readonly TaskEvidence[],
): Promise<Refusal | undefined> {
  const {receipt_id} = call;
  const {receipts} = await kernel.ports.evidence.read({task_id: call.task.spec.id, limit: 2});
  const [newest, previous] = receipts.map((receipt) => receipt.receipt_id);
  if (newest === receipt_id && previous === seen.at(-1)?.receipt_id) return undefined;
  const result = evaluatePolicy(await toolQuestion(kernel, call, receipt_id));
  const decided = {...call, policy_decisions: result.decisions};
  if (result.decision === 'deny') return {...denyByPolicy(decided, result), intended: true};
  if (result.decision === 'allow' || call.approval_request_id !== undefined) return undefined;
  // Nobody was asked, and this call is recorded already: the next one asks.
  const message = `\`${call.tool.name}\` needs an approval since its task made another call at the same moment: call it again to ask for one`;
  return {...refuse(decided, 'POLICY_DENIED', message, placeOf(result)), intended: true};
}

/** What the layers are asked about a call, with the task's evidence where a rule looks at it; explaining and listing ask the same. `before` leaves out what began later. */
export function toolQuestion(kernel: Kernel, call: CanonicalCall, before?: string): MaybePromise<PolicyQuestion> {
  const looking = withTouched(kernel, call, policyQuestion(kernel, call));
  return isPromise(looking)
    ? looking.then((question) => toldEvidence(kernel, call, {question, before}))
    : toldEvidence(kernel, call, {question: looking, before});
}

/** Finds out where links lead, when a rule looks at paths. */
function withTouched(
  kernel: Kernel,
  {paths = [], grant}: CanonicalCall,
  question: PolicyQuestion,
): MaybePromise<PolicyQuestion> {
  if (paths.length === 0 || !looksAtPaths(question.layers)) return question;
  return touchedFiles(paths, grant, kernel.ports.paths).then((touched) => ({
    ...question,
    request: {...question.request, touched},
  }));
}

function toldEvidence(
  kernel: Kernel,
  call: CanonicalCall,
  {question, before}: Omit<EvidenceQuestion, 'properties'>,
): MaybePromise<PolicyQuestion> {
  const properties = evidenceDataOf(question.layers);
  if (properties === undefined) return question;
  return withEvidence(kernel, call, {question, properties, before});
}

interface EvidenceQuestion {
  readonly question: PolicyQuestion;
  readonly properties: readonly string[];
  readonly before: string | undefined;
}

async function withEvidence(
  kernel: Kernel,
  call: CanonicalCall,
  {question, properties, before}: EvidenceQuestion,
): Promise<PolicyQuestion> {
  const all = await readTaskEvidence(kernel, call.task.spec.id, properties);
  const own = all.findIndex(({receipt_id}) => receipt_id === before);
  const evidence = own === -1 ? all : all.slice(0, own);
  return {...question, request: {...question.request, context: {...question.request.context, evidence}}};
}

export function policyQuestion(
  kernel: Kernel,
  call: FoundCall & Partial<CanonicalCall>,
  trigger: PolicyTrigger = 'on_tool_request',
): PolicyQuestion {
  const {tool, task, lane, run, request, execution_metadata, paths, grant} = call;
  const {parent} = request;
  const {context, ...input} = requestInput(request.input);
  return {
    layers: governingLayers(kernel, call),
    allowLoosening: kernel.workspace.allowLoosening,
    request: {
      permission: tool.declaration.permission,
      ...input,
      ...(paths && {touched: touchedPaths(paths, grant)}),
      context: {
        ...context,
        trigger,
        run_id: run.run_id,
        tool_name: tool.name,
        task_id: task.spec.id,
        lane_id: lane.spec.id,
        pack_id: tool.pack.manifest.id,
        ...(execution_metadata && {execution_metadata}),
        ...(parent && {caller: {tool: parent.tool.name, pack: parent.pack.manifest.id, depth: parent.depth}}),
      },
    },
  };
}

/** What the kernel does for a pack, the pack's own rules govern. */
export function governingLayers(kernel: Kernel, {tool, task, lane, request: {parent}}: FoundCall): PolicyLayers {
  const pack = parent !== undefined && isKernelTool(tool) ? parent.pack : tool.pack;
  return policyStack(kernel.workspace, lane, task, pack);
}

function denyByPolicy(call: DecidedCall, result: PolicyResult): Refusal {
  const {rule_id, reason} = result.deciding;
  const message = `policy denies \`${call.tool.name}\`: ${reason ?? `rule \`${rule_id}\``}`;
  return refuse(call, 'POLICY_DENIED', message, placeOf(result));
}

/** Which rule decided, and where it is written. */
export function placeOf({deciding: {rule_id, layer, where}}: PolicyResult): Record<string, unknown> {
  return {rule_id, layer, ...(where !== undefined && {where})};
}

// The trigger on_changes: policy over what a call has changed, before anything of it is in the workspace.
import type {JudgedChange, PolicyDecision} from '@lumenflow/schemas';
import {judgedChanges} from '../changes/judged-changes.ts';
import {readAddedText} from '../changes/read-added-text.ts';
import type {Kernel} from '../context/kernel.ts';
import {
  evaluatePolicy,
  hasRulesFor,
  layerNames,
  type CompiledLayer,
  type PolicyQuestion,
  type PolicyResult,
  type TouchedPath,
} from '../policy/index.ts';
import type {FinishedChanges} from '../dispatch/finished-changes.ts';
import {governingLayers} from './governing-layers.ts';
import {policyQuestion} from './policy-question.ts';
import type {NarrowedCall} from './call.ts';

export interface ChangesDecision extends PolicyResult {
  readonly question: PolicyQuestion;
}

/** Undefined when no rule of on_changes governs the call, or it has changed nothing. */
export async function decideChanges(
  kernel: Kernel,
  call: NarrowedCall,
  held: FinishedChanges,
): Promise<ChangesDecision | undefined> {
  const changes = judgedChanges(held.changes);
  if (changes.length === 0 || rulesOfChanges(kernel, call).length === 0) return undefined;
  const asked = changesQuestion(kernel, call, changes);
  const looksAtText = rulesFor(asked).some((rule) => rule.looksAtText === true);
  const added = looksAtText ? await readAddedText(held) : undefined;
  const question = added === undefined ? asked : {...asked, request: {...asked.request, added}};
  return {...evaluatePolicy(question), question};
}

/** What must wait for a person because of calls that this one made, if nothing else makes it wait. */
export function withCarried(
  kernel: Kernel,
  call: NarrowedCall,
  {
    decided,
    carried,
    held,
  }: {
    readonly decided: ChangesDecision | undefined;
    readonly carried: readonly PolicyResult[];
    readonly held: FinishedChanges;
  },
): ChangesDecision | undefined {
  const [first] = carried;
  // What its calls wrote may be gone again.
  if (first === undefined || held.changes.entries.length === 0 || decided?.decision === 'deny') return decided;
  const question = decided?.question ?? changesQuestion(kernel, call, judgedChanges(held.changes));
  const asking = decided?.decision === 'approval_required' ? [decided, ...carried] : carried;
  return {
    ...(asking[0] ?? first),
    question,
    decisions: [...(decided?.decisions ?? []), ...carried.flatMap(({decisions}) => decisions)],
    self_approval: asking.every(({self_approval}) => self_approval),
    inband: asking.every(({inband}) => inband),
  };
}

/**
 * Whether a rule of on_changes can govern the call, so that its writes must be checked first. A rule that observes changes nothing, also not
 * how the call writes.
 */
export function mayJudgeChanges(kernel: Kernel, call: NarrowedCall): boolean {
  return rulesOfChanges(kernel, call).some(({observes}) => observes !== true);
}

function rulesOfChanges(kernel: Kernel, call: NarrowedCall): ReturnType<typeof rulesFor> {
  if (!hasRulesFor(governingLayers(kernel, call), 'on_changes')) return [];
  return rulesFor(changesQuestion(kernel, call, []));
}

/** The rules that can judge the call's changes, each with its decision if it applies. */
export function changesRules(kernel: Kernel, call: NarrowedCall): readonly PolicyDecision[] {
  if (call.scope_enforced.write.length === 0) return [];
  return rulesOfChanges(kernel, call).flatMap(({statement, observes}) => (observes ? [] : [statement.said]));
}

/** Paths that alone would have led to another decision, and those that were allowed. */
export function splitByDecision(
  {question}: ChangesDecision,
  {max}: {readonly max: number},
): {readonly objected: readonly string[]; readonly allowed: readonly string[]} {
  const objected: string[] = [];
  const allowed: string[] = [];
  for (const change of question.request.context.changes?.slice(0, max) ?? []) {
    const {request} = question;
    const alone = {...question, request: {...request, context: {...request.context, changes: [change]}}};
    const paths = change.op === 'rename' && change.from !== undefined ? [change.from, change.path] : [change.path];
    (evaluatePolicy(alone).decision === 'allow' ? allowed : objected).push(...paths);
  }
  return {objected, allowed};
}

function changesQuestion(kernel: Kernel, call: NarrowedCall, changes: readonly JudgedChange[]): PolicyQuestion {
  const question = policyQuestion(kernel, call, 'on_changes');
  const {request} = question;
  return {...question, request: {...request, touched: touchedBy(changes), context: {...request.context, changes}}};
}

/** For `writes`: what was touched, instead of what the input says. */
function touchedBy(changes: readonly JudgedChange[]): readonly TouchedPath[] {
  const paths = changes.flatMap(({path, from}) => (from === undefined ? [path] : [path, from]));
  return paths.map((path) => ({path, access: 'write'}));
}

function rulesFor({layers, request}: PolicyQuestion): ReturnType<CompiledLayer['rulesFor']> {
  return layerNames.flatMap((name) => layers[name]?.rulesFor(request) ?? []);
}

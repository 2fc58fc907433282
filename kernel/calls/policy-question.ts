// What the layers are asked about a call. Calling, explaining and listing ask the same.
import type {PolicyTrigger} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {isPromise, type MaybePromise} from '../maybe-promise.ts';
import {touchedFiles, touchedPaths} from '../paths/touched-paths.ts';
import {
  createShellLines,
  evidenceDataOf,
  instantOf,
  looksAtPaths,
  argumentsAsked,
  mayAsk,
  requestInput,
  type PolicyQuestion,
} from '../policy/index.ts';
import type {TaintOrigin} from '../taint/taint.ts';
import {readTaskEvidence} from '../transitions/task-evidence.ts';
import type {CanonicalCall, FoundCall} from './call.ts';
import {governingLayers} from './governing-layers.ts';
import {callerOf} from './caller-of.ts';
import {pastCalls, readHistory} from './read-history.ts';
import {readPastInputs} from './read-past-inputs.ts';
import {returnedTexts} from './returned-texts.ts';
import {roleOf} from './role-of.ts';
import {taintOrigins} from './taint-of-call.ts';

/** The question for one trigger, from what the call itself contains. */
export function policyQuestion(
  kernel: Kernel,
  call: FoundCall & Partial<CanonicalCall>,
  trigger: PolicyTrigger = 'on_tool_request',
): PolicyQuestion {
  const {tool, task, lane, run, request, timestamp, execution_metadata, paths, grant} = call;
  const {parent} = request;
  const asked = requestInput(request.input);
  return {
    layers: governingLayers(kernel, call),
    allowLoosening: kernel.workspace.allowLoosening,
    request: {
      permission: tool.declaration.permission,
      sink: tool.marks.sink,
      tainted: () => taintOrigins(kernel, call),
      shellLines: createShellLines(),
      session_id: run.session_id,
      used: (key, perMs) => kernel.state.usage.used(key, instantOf(timestamp) ?? 0, perMs),
      touched: paths && touchedPaths(paths, grant),
      ...asked,
      // Spreads come last: in Node 20, each property that follows a spread costs as much as a stage of the call.
      context: {
        trigger,
        run_id: run.run_id,
        tool_name: tool.name,
        task_id: task.spec.id,
        lane_id: lane.spec.id,
        pack_id: tool.pack.manifest.id,
        at: timestamp,
        actor: callerOf(call),
        surface: request.context.surface ?? 'api',
        role: roleOf(request.context),
        ...asked.context,
        ...(execution_metadata && {execution_metadata}),
        ...(parent && {caller: {tool: parent.tool.name, pack: parent.pack.manifest.id, depth: parent.depth}}),
      },
    },
  };
}

/**
 * The question of `on_tool_request`, with the targets of links where a rule matches paths, and with the task's calls where a
 * rule asks for them. `before` is a receipt id: that call and later ones are left out.
 */
export function toolQuestion(kernel: Kernel, call: CanonicalCall, before?: string): MaybePromise<PolicyQuestion> {
  const resolving = withLinkTargets(kernel, call, policyQuestion(kernel, call));
  const evident = isPromise(resolving)
    ? resolving.then((question) => withEvidence(kernel, call, question, before))
    : withEvidence(kernel, call, resolving, before);
  return isPromise(evident)
    ? evident.then((question) => withRecords(kernel, call, question))
    : withRecords(kernel, call, evident);
}

/** The records are read only where a rule that may match asks for them. */
function withRecords(kernel: Kernel, call: CanonicalCall, question: PolicyQuestion): MaybePromise<PolicyQuestion> {
  const origins = question.request.tainted?.() ?? [];
  const asksReturned = origins.length > 0 && mayAsk(question, 'looksAtReturned');
  if (!asksReturned && !mayAsk(question, 'looksAtHistory')) return question;
  return addRecords(kernel, call, question, asksReturned ? origins : []);
}

async function addRecords(
  kernel: Kernel,
  call: CanonicalCall,
  question: PolicyQuestion,
  origins: readonly TaintOrigin[],
): Promise<PolicyQuestion> {
  const recorded = await readHistory(kernel, call);
  const returned = origins.length === 0 ? undefined : await returnedTexts(kernel, recorded, origins);
  const inputs = await readPastInputs(kernel, recorded, argumentsAsked(question));
  const history = {
    session: pastCalls(kernel, recorded.session, inputs),
    task: pastCalls(kernel, recorded.task, inputs),
  };
  return {...question, request: {...question.request, history, returned}};
}

function withLinkTargets(
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

function withEvidence(
  kernel: Kernel,
  {task}: CanonicalCall,
  question: PolicyQuestion,
  before: string | undefined,
): MaybePromise<PolicyQuestion> {
  const properties = evidenceDataOf(question.layers);
  if (properties === undefined) return question;
  return readTaskEvidence(kernel, task.spec.id, properties).then((all) => {
    const own = all.findIndex(({receipt_id}) => receipt_id === before);
    const evidence = own === -1 ? all : all.slice(0, own);
    return {...question, request: {...question.request, context: {...question.request.context, evidence}}};
  });
}

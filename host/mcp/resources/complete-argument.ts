// completion/complete: the ids that a template of a resource can be filled in with.
import type {CompleteRequest, CompleteResult} from '@modelcontextprotocol/server';
import type {Conversation} from '../conversation.ts';
import {approvalsOf} from './read-resource.ts';
import {templates, type ResourceKind} from './resource-uri.ts';

/** More than this the protocol does not take. */
const valuesMax = 100;

export async function completeArgument(
  conversation: Conversation,
  {ref, argument}: CompleteRequest['params'],
): Promise<CompleteResult> {
  const template = ref.type === 'ref/resource' ? templates.find(({uriTemplate}) => uriTemplate === ref.uri) : undefined;
  const known = template ? await idsOf[template.kind](conversation) : [];
  const fitting = known.filter((id) => id.startsWith(argument.value));
  return {
    completion: {values: fitting.slice(0, valuesMax), total: fitting.length, hasMore: fitting.length > valuesMax},
  };
}

type IdReader = (conversation: Conversation) => readonly string[] | Promise<readonly string[]>;

const idsOf: Readonly<Record<ResourceKind, IdReader>> = {
  async receipt({runtime, session}) {
    const {receipts} = await runtime.evidence.readTraces({task_id: session.task_id});
    return receipts.map(({receipt_id}) => receipt_id);
  },
  task: ({runtime, session}) =>
    runtime.listTasks().flatMap(({task_id, run}) => (run?.by === session.by ? task_id : [])),
  policy: ({runtime}) => [...runtime.workspace.lanes.keys()],
  approval: (conversation) => approvalsOf(conversation).map(({request_id}) => request_id),
};

// completion/complete: suggests values for a resource template or a prompt argument.
import type {CompleteRequest, CompleteResult} from '@modelcontextprotocol/server';
import type {Conversation} from './conversation.ts';
import {offeredAs} from './offers.ts';
import {promptValues} from './prompts/prompts.ts';
import {fromMcpName, toMcpName} from './tool-name.ts';
import {ownApprovals} from './own-approvals.ts';
import {templates, type ResourceKind} from './resource-uri.ts';

/** The protocol's maximum. */
const valuesMax = 100;

export async function completeArgument(
  conversation: Conversation,
  {ref, argument}: CompleteRequest['params'],
): Promise<CompleteResult> {
  const known =
    ref.type === 'ref/prompt'
      ? await valuesFor(conversation, ref.name, argument.name)
      : await idsFor(conversation, ref.uri);
  const fitting = known.filter((id) => id.startsWith(argument.value));
  return {
    completion: {values: fitting.slice(0, valuesMax), total: fitting.length, hasMore: fitting.length > valuesMax},
  };
}

async function valuesFor(conversation: Conversation, prompt: string, argument: string): Promise<readonly string[]> {
  const name = fromMcpName(prompt);
  const found = (await offeredAs(conversation, 'prompt')).find(({tool}) => tool.name === name);
  return found ? promptValues(found, argument) : [];
}

async function idsFor(conversation: Conversation, uri: string): Promise<readonly string[]> {
  const template = templates.find(({uriTemplate}) => uriTemplate === uri);
  return template ? await idsOf[template.kind](conversation) : [];
}

type IdReader = (conversation: Conversation) => readonly string[] | Promise<readonly string[]>;

const receiptIds: IdReader = async ({runtime, session}) => {
  const {receipts} = await runtime.evidence.readTraces({task_id: session.task_id});
  return receipts.map(({receipt_id}) => receipt_id);
};

const idsOf: Readonly<Record<ResourceKind, IdReader>> = {
  receipt: receiptIds,
  output: receiptIds,
  task: ({runtime, session}) =>
    runtime.listTasks().flatMap(({task_id, run}) => (run?.by === session.by ? task_id : [])),
  policy: ({runtime}) => [...runtime.workspace.lanes.keys()],
  explanation: async ({session}) => (await session.tools()).map(({tool}) => toMcpName(tool.name)),
  approval: (conversation) => ownApprovals(conversation).map(({request_id}) => request_id),
};

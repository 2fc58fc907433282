// resources/read: the current evidence, tasks, approvals and policy. A client sees only its own data, except that every client
// can read the policy.
import {ResourceNotFoundError, type ReadResourceResult} from '@modelcontextprotocol/server';
import {readPreview} from '../../approvals/read-preview.ts';
import type {Conversation} from '../conversation.ts';
import {ownApprovals} from '../own-approvals.ts';
import {approvalsUri, parseResourceUri, type ResourceKind} from '../resource-uri.ts';

/** Throws ResourceNotFoundError for resources that do not exist, and for those of other clients. */
export async function readResource(conversation: Conversation, uri: string): Promise<ReadResourceResult> {
  await conversation.runtime.refresh();
  const found = uri === approvalsUri ? {approvals: ownApprovals(conversation)} : await find(conversation, uri);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  return {contents: [{uri, mimeType: 'application/json', text: JSON.stringify(found)}]};
}

type Reader = (conversation: Conversation, id: string) => Promise<object | undefined>;

const readers: Readonly<Record<ResourceKind, Reader>> = {
  async receipt(conversation, id) {
    const receipt = await conversation.runtime.evidence.receipt(id);
    const isOwn = receipt && (await ownTask(conversation, receipt.started.task_id)) !== undefined;
    return isOwn ? receipt : undefined;
  },
  task: ownTask,
  async explanation({session}, asked) {
    const [tool = '', text = '{}'] = asked.split(/\?input=(.*)/su, 2);
    const input = parseJson(text);
    return input && (await session.explain(tool, input.value));
  },
  async approval(conversation, id) {
    const approval = ownApprovals(conversation).find(({request_id}) => request_id === id);
    const preview_output = approval && (await readPreview(conversation.runtime, approval));
    return preview_output === undefined ? approval : {...approval, preview_output};
  },
  async policy({runtime}, lane_id) {
    const lane = runtime.workspace.lanes.get(lane_id);
    if (!lane) return undefined;
    const governed = await runtime.listGovernedTools({lane_id});
    const tools = governed.map(({tool, ...said}) => ({tool_name: tool.name, ...said}));
    return {lane_id, lane: lane.spec, tools};
  },
};

function parseJson(text: string): {readonly value: unknown} | undefined {
  try {
    return {value: JSON.parse(text) as unknown};
  } catch {
    // Reported to the client as a missing resource.
    return undefined;
  }
}

async function find(conversation: Conversation, uri: string): Promise<object | undefined> {
  const parsed = parseResourceUri(uri);
  return parsed && (await readers[parsed.kind](conversation, parsed.id));
}

async function ownTask({runtime, session}: Conversation, id: string): Promise<object | undefined> {
  const found = await runtime.inspectTask(id);
  return found.success && found.data.run?.by === session.by ? found.data : undefined;
}

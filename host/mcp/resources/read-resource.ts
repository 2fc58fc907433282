// resources/read: the current evidence, tasks, approvals and policy. A client sees only its own data, except that every client
// can read the policy.
import type {Receipt} from '@lumenflow/kernel';
import {ResourceNotFoundError, type ReadResourceResult} from '@modelcontextprotocol/server';
import {readPreview} from '../../approvals/read-preview.ts';
import type {Conversation} from '../conversation.ts';
import {ownApprovals} from '../own-approvals.ts';
import {fromMcpName} from '../tool-name.ts';
import {mentionableTools} from '../mentionable-tools.ts';
import {clientView} from './client-view.ts';
import {approvalsUri, outputUri, parseResourceUri, type ResourceKind} from '../resource-uri.ts';

/** Throws ResourceNotFoundError for resources that do not exist, and for those of other clients. */
export async function readResource(conversation: Conversation, uri: string): Promise<ReadResourceResult> {
  await conversation.runtime.refresh();
  const parsed = parseResourceUri(uri);
  if (parsed?.kind === 'output') return await readOutput(conversation, parsed.id, uri);
  const found =
    uri === approvalsUri
      ? {approvals: ownApprovals(conversation)}
      : parsed && (await readers[parsed.kind](conversation, parsed.id));
  if (found === undefined) throw new ResourceNotFoundError(uri);
  // Receipts and tasks are records: a client may compare them.
  const isRecord = parsed?.kind === 'receipt' || parsed?.kind === 'task';
  const text = isRecord ? JSON.stringify(found) : clientView(found, mentionableTools(conversation));
  return {contents: [{uri, mimeType: 'application/json', text}]};
}

type Reader = (conversation: Conversation, id: string) => Promise<object | undefined>;

const readers: Readonly<Record<Exclude<ResourceKind, 'output'>, Reader>> = {
  receipt: ownReceipt,
  task: ownTask,
  async explanation({session}, asked) {
    const [name = '', text = '{}'] = asked.split(/\?input=(.*)/su, 2);
    const tool = name.includes(':') ? name : fromMcpName(name);
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
    const governed = await runtime.listGovernedTools({lane_id, surface: 'mcp'});
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

/** Characters of an output at once. */
const pageMax = 1_000_000;

/** `asked`: the id of the receipt, and where to start. Throws ResourceNotFoundError. */
async function readOutput(conversation: Conversation, asked: string, uri: string): Promise<ReadResourceResult> {
  const [, id = '', offset = '0'] = /^([^?]*)(?:\?offset=(\d{1,12}))?$/u.exec(asked) ?? [];
  const ref = (await ownReceipt(conversation, id))?.finished?.output_ref;
  const whole = ref === undefined ? undefined : await conversation.runtime.evidence.readBlob(ref);
  const start = Number(offset);
  if (whole === undefined || start > whole.length) throw new ResourceNotFoundError(uri);
  const end = start + pageMax;
  const next = end < whole.length ? {'lumenflow/next': `${outputUri(id)}?offset=${end}`} : {};
  const text = whole.slice(start, end);
  return {
    contents: [{uri, mimeType: 'application/json', text, _meta: {'lumenflow/characters': whole.length, ...next}}],
  };
}

async function ownReceipt(conversation: Conversation, id: string): Promise<Receipt | undefined> {
  const receipt = await conversation.runtime.evidence.receipt(id);
  const isOwn = receipt && (await ownTask(conversation, receipt.started.task_id)) !== undefined;
  return isOwn ? receipt : undefined;
}

async function ownTask({runtime, session}: Conversation, id: string): Promise<object | undefined> {
  const found = await runtime.inspectTask(id);
  return found.success && found.data.run?.by === session.by ? found.data : undefined;
}

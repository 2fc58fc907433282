// mem:triage handles discoveries: it turns one into a work unit, changes its priority, or closes it.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {cutText, oneLine} from '../../markdown/fit-markdown.ts';
import type {MemoryClosed} from '../../memory/memory-events.ts';
import {nodeIn, openMemory, openNodeIn, type Memory} from '../../memory/memory.ts';
import type {MemoryNode, MemoryPriority} from '../../memory/memory-node.ts';
import {readyNodes} from '../../memory/ready-nodes.ts';
import {triageEvent, type Triage} from '../../memory/triage-event.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryTriageInput {
  /** Without it, the open discoveries are listed. */
  readonly id?: string;
  readonly action?: Triage['action'];
  readonly reason?: string;
  readonly priority?: MemoryPriority;
  /** The work unit to create, as in wu:create. Missing fields come from the node. */
  readonly promote?: Readonly<Record<string, unknown>>;
  readonly dry_run?: boolean;
}

interface MemoryTriageOutput {
  /** Remaining open discoveries, most urgent first. */
  readonly open: readonly MemoryNode[];
  readonly total: number;
  /** The changed node. */
  readonly node?: MemoryNode;
  /** The work unit that was created. */
  readonly wu_id?: string;
  readonly dry_run: boolean;
}

type TriageContext = ToolContext<PackConfig>;

export const memoryTriage: ToolDefinition<MemoryTriageInput, MemoryTriageOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {id, promote, dry_run: dryRun = false} = input;
    const memory = openMemory(openDeliveryLog(context));
    const done =
      id === undefined
        ? {}
        : promote === undefined
          ? {node: await changeNode(context, memory, {id, triage: triageOf(input), dryRun})}
          : await makeWorkUnit(context, memory, {id, given: promote, dryRun});
    const {ready, blocked} = readyNodes(await memory.view(), {types: ['discovery']});
    const open = [...ready, ...blocked.map(({node}) => node)];
    return {open: open.slice(0, 50), total: open.length, ...done, dry_run: dryRun};
  },
});

/** The input schema defines which fields each action needs. */
function triageOf({action, reason = '', priority = 'P2'}: MemoryTriageInput): Triage {
  if (action === undefined) throw new ToolError('INVALID_INPUT', 'pass `action` or `promote` for the node');
  if (action === 'prioritize') return {action, priority};
  return action === 'reopen' ? {action} : {action, reason};
}

async function changeNode(
  context: TriageContext,
  memory: Memory,
  {id, triage, dryRun}: {readonly id: string; readonly triage: Triage; readonly dryRun: boolean},
): Promise<MemoryNode> {
  await memory.decide({node: id}, (shard) => {
    const node = triage.action === 'reopen' ? nodeIn(shard, id) : openNodeIn(shard, id);
    const settled = triage.action === 'reopen' && node.closed === undefined;
    return {events: dryRun || settled ? [] : [triageEvent(id, triage, stampOf(context))], result: undefined};
  });
  return await memory.node(id);
}

/** Closes the node before it creates the work unit, so that two concurrent calls do not create two. */
async function makeWorkUnit(
  context: TriageContext,
  memory: Memory,
  {
    id,
    given,
    dryRun,
  }: {readonly id: string; readonly given: Readonly<Record<string, unknown>>; readonly dryRun: boolean},
): Promise<Pick<MemoryTriageOutput, 'node' | 'wu_id'>> {
  const closed: MemoryClosed = {type: 'memory_closed', ...stampOf(context), ids: [id], as: 'promoted'};
  const node = await memory.decide({node: id}, (shard) => ({
    events: dryRun ? [] : [closed],
    result: openNodeIn(shard, id),
  }));
  const fields = {...wuFieldsOf(node), ...given, ...(dryRun && {dry_run: true})};
  const created = await callOrThrow(context, 'wu:create', fields).catch(async (error: unknown) => {
    if (!dryRun) await changeNode(context, memory, {id, triage: {action: 'reopen'}, dryRun});
    throw error;
  });
  const {id: wuId} = created as {readonly id: string};
  if (dryRun) return {node, wu_id: wuId};
  await memory.decide({node: id}, () => ({events: [{...closed, ...stampOf(context), into: wuId}], result: undefined}));
  return {node: await memory.node(id), wu_id: wuId};
}

function wuFieldsOf({content, priority, id}: MemoryNode): Readonly<Record<string, unknown>> {
  const [first = ''] = content.trim().split('\n');
  return {
    title: cutText(oneLine(first.replace(/^#+\s*/u, '')), 120),
    description: `${content.trim()}\n\nDiscovered as ${id}, and promoted from memory.`,
    priority,
    code_paths: [],
  };
}

// Memory about a WU as sections of a page, shared by the context page of a session and the recovery page.
import type {InboxSignal} from '../signals/inbox.ts';
import {cutText, oneLine, type Section} from '../markdown/fit-markdown.ts';
import {byAge, type MemoryNode} from './memory-node.ts';
import type {MemoryView} from './memory-view.ts';
import {readyNodes} from './ready-nodes.ts';

const itemBytes = 400;
/** Maximum items of one kind; the rest is only counted. */
const itemsMax = 40;

export function lastCheckpoint({nodes}: MemoryView, wuId: string | undefined): MemoryNode | undefined {
  return newestFirst(nodes).find((node) => node.type === 'checkpoint' && node.wu_id === wuId);
}

export function checkpointSections(checkpoint: MemoryNode | undefined): readonly Section[] {
  if (checkpoint === undefined) return [];
  const {content, created_at: at, metadata} = checkpoint;
  const steps = metadata['next_steps'];
  return [
    {heading: `Last checkpoint, ${at}`, items: [content], as: 'text'},
    {heading: 'Next steps', items: Array.isArray(steps) ? steps.map(String) : []},
  ];
}

export function workSections(view: MemoryView, wuId: string | undefined): readonly Section[] {
  const {ready, blocked} = readyNodes(view, wuId === undefined ? {} : {wu_id: wuId});
  return [
    {heading: 'Ready', items: lines(ready)},
    {
      heading: 'Blocked',
      items: blocked
        .slice(0, itemsMax)
        .map(({node, blocked_by: by}) => `${lineOf(node)}, blocked by ${by.map((id) => `\`${id}\``).join(', ')}`),
    },
  ];
}

export function knowledgeSections({nodes}: MemoryView, wuId: string | undefined): readonly Section[] {
  const newest = newestFirst(nodes);
  return [
    {heading: 'Summaries', items: lines(newest.filter(({type, wu_id: of}) => type === 'summary' && of === wuId))},
    {heading: 'Project knowledge', items: lines(newest.filter(isKnowledge))},
  ];
}

export function signalSection(inbox: readonly InboxSignal[]): Section {
  const items = inbox.slice(0, itemsMax).map(({kind, from, message}) => {
    return `${kind} from ${from}: ${cutText(oneLine(message), itemBytes)}`;
  });
  return {heading: 'Unread signals', items};
}

function isKnowledge({lifecycle, closed, type}: MemoryNode): boolean {
  return lifecycle === 'project' && closed === undefined && type !== 'session' && type !== 'checkpoint';
}

function newestFirst(nodes: MemoryView['nodes']): readonly MemoryNode[] {
  return [...nodes.values()].toSorted((a, b) => byAge(b, a));
}

function lines(nodes: readonly MemoryNode[]): readonly string[] {
  return nodes.slice(0, itemsMax).map(lineOf);
}

function lineOf({id, priority, content, tags}: MemoryNode): string {
  const marks = tags.map((tag) => ` #${tag}`).join('');
  return `${priority} ${cutText(oneLine(content), itemBytes)}${marks} (\`${id}\`)`;
}

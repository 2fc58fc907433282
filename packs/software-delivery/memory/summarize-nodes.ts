// Summarizes a WU's working memory in one node: findings, decisions and the latest checkpoint.
import {byteLength, cutText, fitMarkdown, oneLine, type Section} from '../markdown/fit-markdown.ts';
import {byAge, type MemoryNode} from './memory-node.ts';

export interface Summary {
  /** Markdown. */
  readonly content: string;
  /** The nodes that it replaces, oldest first. */
  readonly sources: readonly MemoryNode[];
}

/** Bytes. */
const contentMax = 8 * 1024;

/** `text` is the agent's own summary. Without it, the summary uses the nodes' texts. */
export function summarizeNodes(wuId: string, nodes: readonly MemoryNode[], text?: string): Summary {
  const sources = nodes.filter((node) => node.wu_id === wuId && isWorkingMemory(node)).toSorted(byAge);
  return {content: text ?? renderSummary(wuId, sources), sources};
}

/** Excludes open discoveries, which are work to do, and project knowledge, which is kept. */
function isWorkingMemory({type, lifecycle, closed}: MemoryNode): boolean {
  return closed === undefined && lifecycle !== 'project' && type !== 'summary' && type !== 'discovery';
}

function renderSummary(wuId: string, sources: readonly MemoryNode[]): string {
  const of = (type: MemoryNode['type']): readonly MemoryNode[] => sources.filter((node) => node.type === type);
  const lines = (nodes: readonly MemoryNode[]): readonly string[] =>
    nodes.toReversed().map(({content, created_at: at}) => `${at.slice(0, 10)} ${cutText(oneLine(content), 400)}`);
  const [last, ...earlier] = of('checkpoint').toReversed();
  const sections: readonly Section[] = [
    {heading: 'Latest checkpoint', items: last === undefined ? [] : [last.content], as: 'text'},
    {heading: 'Notes', items: lines(of('note'))},
    {heading: 'Earlier checkpoints', items: lines(earlier.toReversed())},
    {heading: 'Sessions', items: lines(of('session'))},
  ];
  return fitMarkdown(`Memory of ${wuId}, ${sources.length} nodes`, sections, contentMax);
}

/** True if an agent's own text is short enough for a summary. */
export function fitsSummary(text: string): boolean {
  return byteLength(text) <= contentMax;
}

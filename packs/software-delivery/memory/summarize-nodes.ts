// Rolls a WU's working memory up into one node: what was found and decided, and where it stood last.
import {byteLength, cutText, fitMarkdown, oneLine, type Section} from '../markdown/fit-markdown.ts';
import {byAge, type MemoryNode} from './memory-node.ts';

export interface Summary {
  /** Markdown. */
  readonly content: string;
  /** What it stands for from now on, oldest first. */
  readonly sources: readonly MemoryNode[];
}

/** Bytes. */
const contentMax = 8 * 1024;

/** `text` is what an agent made of it itself; without it the nodes' own words are taken. */
export function summarizeNodes(wuId: string, nodes: readonly MemoryNode[], text?: string): Summary {
  const sources = nodes.filter((node) => node.wu_id === wuId && isWorkingMemory(node)).toSorted(byAge);
  return {content: text ?? renderSummary(wuId, sources), sources};
}

/** Open discoveries are work to do, and the project's knowledge stands for itself. */
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

/** Whether a text of an agent's own is short enough to be a summary. */
export function fitsSummary(text: string): boolean {
  return byteLength(text) <= contentMax;
}

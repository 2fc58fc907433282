// Renders the context page of a session: known and open items in at most 4 KB.
import type {InboxSignal} from '../signals/inbox.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {fitMarkdown, type Section} from '../markdown/fit-markdown.ts';
import type {MemoryView} from './memory-view.ts';
import {checkpointSections, knowledgeSections, lastCheckpoint, signalSection, workSections} from './memory-sections.ts';

export interface ContextFacts {
  readonly view: MemoryView;
  readonly unit: WorkUnit | undefined;
  readonly inbox: readonly InboxSignal[];
}

export const contextBytesMax: number = 4 * 1024;

export function renderContext({view, unit, inbox}: ContextFacts, bytesMax: number): string {
  const wuId = unit?.spec.id;
  const title = wuId === undefined ? 'Memory of the project' : `Memory of ${wuId}`;
  const sections: readonly Section[] = [
    ...unitSection(unit),
    signalSection(inbox),
    ...checkpointSections(lastCheckpoint(view, wuId)),
    ...workSections(view, wuId),
    ...knowledgeSections(view, wuId),
  ];
  if (sections.every(({items}) => items.length === 0)) return `# ${title}\n\nNothing is stored yet.\n`;
  return fitMarkdown(title, sections, bytesMax);
}

function unitSection(unit: WorkUnit | undefined): readonly Section[] {
  if (unit === undefined) return [];
  const {spec, status, worktree, blocked_reason: reason} = unit;
  return [
    {
      heading: 'Work unit',
      items: [
        `${spec.title} (${spec.type}, ${spec.priority}, lane ${spec.lane})`,
        `${status}${reason === undefined ? '' : `: ${reason}`}${worktree === undefined ? '' : `, in \`${worktree}\``}`,
      ],
    },
  ];
}

// Renders the page for an agent that takes over a WU: its state, acceptance criteria, git progress and next steps. At most 8 KB.
import {holderOf} from '../claims/lease.ts';
import type {InboxSignal} from '../signals/inbox.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {fitMarkdown, type Section} from '../markdown/fit-markdown.ts';
import type {GitProgress} from './git-progress.ts';
import type {MemoryView} from './memory-view.ts';
import {checkpointSections, knowledgeSections, lastCheckpoint, signalSection, workSections} from './memory-sections.ts';

export interface RecoveryFacts {
  readonly view: MemoryView;
  readonly unit: WorkUnit;
  /** From the spec. */
  readonly acceptance: readonly string[];
  /** A text with the reason if git fails. */
  readonly progress: GitProgress | string;
  readonly inbox: readonly InboxSignal[];
}

export const recoveryBytesMax: number = 8 * 1024;

export function renderRecovery(facts: RecoveryFacts, bytesMax: number): string {
  const {view, unit, acceptance, progress, inbox} = facts;
  const {id: wuId} = unit.spec;
  const checkpoint = lastCheckpoint(view, wuId);
  const sections: readonly Section[] = [
    {heading: 'State', items: stateItems(unit)},
    ...(checkpoint === undefined ? [{heading: 'Last checkpoint', items: ['None.']}] : checkpointSections(checkpoint)),
    {heading: 'Acceptance', items: acceptance},
    {heading: 'Code paths', items: unit.spec.code_paths.map((path) => `\`${path}\``)},
    ...progressSections(progress),
    signalSection(inbox),
    ...workSections(view, wuId),
    ...knowledgeSections(view, wuId),
  ];
  return fitMarkdown(`Taking over ${wuId}: ${unit.spec.title}`, sections, bytesMax);
}

function stateItems({status, since, lease, branch, worktree, blocked_reason: reason}: WorkUnit): readonly string[] {
  return [
    `${status} since ${since}${reason === undefined ? '' : `: ${reason}`}`,
    ...(lease === undefined ? [] : [`claimed by ${holderOf(lease)} until ${lease.expires_at}`]),
    ...(branch === undefined ? [] : [`branch \`${branch}\``]),
    ...(worktree === undefined ? [] : [`worktree \`${worktree}\``]),
  ];
}

function progressSections(progress: GitProgress | string): readonly Section[] {
  if (typeof progress === 'string')
    return [{heading: 'Changes', items: [`Git cannot report them: ${progress}`], as: 'text'}];
  const {branch, head, diff_stat: stat, untracked} = progress;
  // Git's last line is the total.
  const [sum = 'nothing tracked has changed', ...files] = stat
    .split('\n')
    .filter((line) => line !== '')
    .toReversed();
  return [
    {
      heading: `Changes on ${branch} at ${head}`,
      items: [sum.trim(), ...files.toReversed().map((line) => `\`${line.trim()}\``)],
    },
    {heading: 'Untracked files', items: untracked.map((path) => `\`${path}\``)},
  ];
}

// A plan is a Markdown file with front matter and sections. People edit it, too, so unchanged parts keep their bytes.
import {ToolError} from '@lumenflow/pack-sdk';
import {isMap, parseDocument} from 'yaml';
import {splitFrontMatter} from '../markdown/front-matter.ts';

const planSections = ['Goal', 'Context', 'Approach', 'Work', 'Success criteria', 'Risks'] as const;
/** A plan cannot be promoted while one of these is empty. */
const neededSections: readonly string[] = ['Goal', 'Approach', 'Success criteria'];

export interface PlanSection {
  readonly heading: string;
  /** Markdown, without the heading. */
  readonly body: string;
}

export type SectionMode = 'replace' | 'append' | 'remove';

/** A plan's front matter. Teams can add their own keys. */
export interface PlanHead {
  readonly title: string;
  readonly status: 'draft' | 'approved';
  readonly links: readonly string[];
}

export function writePlan(head: PlanHead, sections: readonly PlanSection[]): string {
  const given = new Map(sections.map(({heading, body}) => [heading, body]));
  const headings = [...new Set([...planSections, ...given.keys()])];
  const bodies = headings.map((heading) => sectionText(heading, given.get(heading) ?? '', '\n'));
  return setPlanHead(`---\n---\n\n# ${head.title}\n\n${bodies.join('\n')}`, head);
}

/** Throws ToolError INVALID_PLAN. */
export function readPlanHead(text: string): PlanHead {
  const {document} = splitPlan(text);
  const {title, status, links} = (document.toJS() ?? {}) as Partial<Record<keyof PlanHead, unknown>>;
  return {
    title: typeof title === 'string' ? title : '',
    status: status === 'approved' ? 'approved' : 'draft',
    links: Array.isArray(links) ? links.filter((link) => typeof link === 'string') : [],
  };
}

/** Throws ToolError INVALID_PLAN. */
export function setPlanHead(text: string, changes: Partial<PlanHead>): string {
  const {document, rest, eol} = splitPlan(text);
  for (const [key, value] of Object.entries(changes)) document.set(key, value);
  const yaml = document.toString({lineWidth: 0}).replaceAll(/\r?\n/gu, eol);
  return `---${eol}${yaml}---${eol}${rest}`;
}

/** The text that an approval covers: everything except the links, which can change without one. */
export function approvedText(text: string): string {
  return setPlanHead(text, {links: []});
}

/** Changes one section, or appends a new one. Throws ToolError SECTION_NOT_FOUND if a section to remove is missing. */
export function editSection(text: string, {heading, body}: PlanSection, mode: SectionMode): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const found = findSections(text).find((section) => section.heading === heading);
  if (found === undefined) {
    if (mode === 'remove') throw sectionNotFound(text, heading);
    return `${text.trimEnd()}${eol}${eol}${sectionText(heading, body, eol)}`;
  }
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  if (mode === 'remove') return before + after;
  const kept = mode === 'append' ? `${found.body.trim()}${eol}${eol}` : '';
  return `${before}${sectionText(heading, kept + body, eol)}${after === '' ? '' : eol}${after}`;
}

/** Required sections without text. */
export function emptySections(text: string): readonly string[] {
  const filled = findSections(text).filter(({body}) => body.trim() !== '');
  return neededSections.filter((needed) => !filled.some(({heading}) => heading === needed));
}

interface FoundSection extends PlanSection {
  readonly start: number;
  readonly end: number;
}

/** Second-level headings, except those in code blocks. */
function findSections(text: string): readonly FoundSection[] {
  const starts: {readonly heading: string; readonly start: number; readonly bodyStart: number}[] = [];
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split(/(?<=\n)/u)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    const heading = /^## +(\S.*?)(?: +#+)?\s*$/u.exec(line)?.[1];
    if (fence === undefined && heading !== undefined) starts.push({heading, start: at, bodyStart: at + line.length});
    at += line.length;
  }
  return starts.map(({heading, start, bodyStart}, index) => {
    const end = starts[index + 1]?.start ?? text.length;
    return {heading, start, end, body: text.slice(bodyStart, end)};
  });
}

function sectionText(heading: string, body: string, eol: string): string {
  const text = body.trim().replaceAll(/\r?\n/gu, eol);
  return `## ${heading}${eol}${text === '' ? '' : `${eol}${text}${eol}`}`;
}

function splitPlan(text: string): {
  readonly document: ReturnType<typeof parseDocument>;
  readonly rest: string;
  readonly eol: string;
} {
  const split = splitFrontMatter(text);
  if (split === undefined) throw invalidPlan('it does not start with front matter, `---`');
  const document = parseDocument(split.yaml);
  const [error] = document.errors;
  if (error !== undefined) throw invalidPlan(error.message);
  if (document.contents !== null && !isMap(document.contents)) throw invalidPlan('its front matter is not a mapping');
  return {document, rest: split.body, eol: split.eol};
}

function invalidPlan(reason: string): ToolError {
  return new ToolError('INVALID_PLAN', `this is not a valid plan: ${reason}`);
}

function sectionNotFound(text: string, heading: string): ToolError {
  const there = findSections(text).map((section) => `\`${section.heading}\``);
  return new ToolError('SECTION_NOT_FOUND', `the plan has no section \`${heading}\`: it has ${there.join(', ')}`);
}

// Draws the steps of a program as a tree, each on a line that fits the terminal, with the state of each step in a run.
import type {Program, ProgramStep, ProgramStepRecord} from '@lumenflow/schemas';
import {innerSteps, stepKind} from '../../exec/index.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {fitText} from '../rendering/fit-text.ts';
import type {Style} from '../rendering/style.ts';
import {stepMark} from './step-mark.ts';

type States = ReadonlyMap<string, readonly ProgramStepRecord[]>;

/** Without records, no step has a state. */
export function renderGraph({name, steps}: Program, records: readonly ProgramStepRecord[], style: Style): string {
  const states = new Map<string, readonly ProgramStepRecord[]>();
  for (const record of records) {
    const step = record.step.replaceAll(/\[\d+\]/gu, '');
    states.set(step, [...(states.get(step) ?? []), record]);
  }
  return [style.bold(cleanLine(name)), ...renderSteps(steps, '/steps', {states, style, lead: ''})].join('\n');
}

interface Drawing {
  readonly states: States;
  readonly style: Style;
  /** The lines of the steps that contain these. */
  readonly lead: string;
}

function renderSteps(steps: readonly ProgramStep[], at: string, drawing: Drawing): readonly string[] {
  return steps.flatMap((step, index) => renderStep(step, `${at}/${index}`, index === steps.length - 1, drawing));
}

function renderStep(step: ProgramStep, at: string, isLast: boolean, {states, style, lead}: Drawing): readonly string[] {
  const records = states.get(at) ?? [];
  const times = records.length > 1 ? ` ×${records.length}` : '';
  const head = `${lead}${isLast ? '└─' : '├─'} `;
  const words = fitText(cleanLine(describe(step)), style.width - head.length - 2 - times.length);
  const line = `${style.dim(head)}${stepMark(worst(records), style)} ${words}${style.dim(times)}`;
  const inside = `${lead}${isLast ? '   ' : '│  '}`;
  const lists = innerSteps(step);
  return [
    line,
    ...lists.flatMap(({pointer, steps}, index) => {
      const title = titleOf(step, pointer);
      if (title === undefined) return renderSteps(steps, at + pointer, {states, style, lead: inside});
      const isEnd = index === lists.length - 1;
      return [
        style.dim(fitText(`${inside}${isEnd ? '└─' : '├─'} ${cleanLine(title)}`, style.width)),
        ...renderSteps(steps, at + pointer, {states, style, lead: `${inside}${isEnd ? '   ' : '│  '}`}),
      ];
    }),
  ];
}

const severity: readonly ProgramStepRecord['state'][] = ['succeeded', 'running', 'waiting', 'failed', 'ambiguous'];

function worst(records: readonly ProgramStepRecord[]): ProgramStepRecord['state'] | undefined {
  return records.map(({state}) => state).toSorted((one, other) => severity.indexOf(other) - severity.indexOf(one))[0];
}

function describe(step: ProgramStep): string {
  const kind = stepKind(step);
  const as = step.as === undefined ? '' : ` → ${step.as}`;
  if (kind === 'let') return `let ${Object.keys(step.let ?? {}).join(', ')}`;
  if (kind === 'parallel' || kind === 'try') return kind;
  if (kind === 'foreach') return `foreach ${step.item ?? ''} in ${step.foreach ?? ''}${as}`;
  if (kind === 'retry') return `retry, at most ${step.retry ?? 1} attempts`;
  if (kind === 'timeout') return `timeout after ${step.timeout ?? 0} ms`;
  const value = step[kind];
  return `${kind} ${typeof value === 'string' ? value : JSON.stringify(value)}${as}`;
}

/** Of a list of steps, if the step has several. */
function titleOf({cases}: ProgramStep, pointer: string): string | undefined {
  const [, list = '', index = ''] = pointer.split('/');
  if (list === 'steps' || list === 'try') return undefined;
  if (list === 'cases') return `case ${JSON.stringify(cases?.[Number(index)]?.is)}`;
  return list === 'parallel' ? `branch ${Number(index) + 1}` : list;
}

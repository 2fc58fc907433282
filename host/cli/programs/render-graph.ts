// Draws the steps of a program as a tree, each on a line that fits the terminal and with its state in a run.
import type {Program, ProgramStep, ProgramStepRecord} from '@lumenflow/schemas';
import {describeStep, innerSteps, stepStates, titleOfSteps, worstState, type StepStates} from '../../exec/index.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {fitText} from '../rendering/fit-text.ts';
import type {Style} from '../rendering/style.ts';
import {stepMark} from './step-mark.ts';

/** Without records, no step has a state. */
export function renderGraph({name, steps}: Program, records: readonly ProgramStepRecord[], style: Style): string {
  const drawing = {states: stepStates(records), style, lead: ''};
  return [style.bold(cleanLine(name)), ...renderSteps(steps, '/steps', drawing)].join('\n');
}

interface Drawing {
  readonly states: StepStates;
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
  const words = fitText(cleanLine(describeStep(step)), style.width - head.length - 2 - times.length);
  const line = `${style.dim(head)}${stepMark(worstState(records), style)} ${words}${style.dim(times)}`;
  const inside = `${lead}${isLast ? '   ' : '│  '}`;
  const lists = innerSteps(step);
  return [
    line,
    ...lists.flatMap(({pointer, steps}, index) => {
      const title = titleOfSteps(step, pointer);
      if (title === undefined) return renderSteps(steps, at + pointer, {states, style, lead: inside});
      const isEnd = index === lists.length - 1;
      return [
        style.dim(fitText(`${inside}${isEnd ? '└─' : '├─'} ${cleanLine(title)}`, style.width)),
        ...renderSteps(steps, at + pointer, {states, style, lead: `${inside}${isEnd ? '   ' : '│  '}`}),
      ];
    }),
  ];
}

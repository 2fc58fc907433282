// The steps of a program as a graph. Lists of steps go down, branches are side by side, and each step has its state and receipts.
import type {Program, ProgramStep, ProgramStepRecord} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {innerSteps} from '../../../exec/programs/document/inner-steps.ts';
import {describeStep, titleOfSteps} from '../../../exec/programs/graph/describe-step.ts';
import {stepStates, worstState, type StepStates} from '../../../exec/programs/graph/step-states.ts';
import {Badge} from '../elements.tsx';
import {Executions} from './executions.tsx';

interface GraphProps {
  readonly of: Program;
  readonly records: readonly ProgramStepRecord[];
}

export function ProgramGraph({of: {steps}, records}: GraphProps): JSX.Element {
  return (
    <div class="graph" role="region" aria-label="Graph of the steps" tabIndex={0}>
      <Flow steps={steps} at="/steps" states={stepStates(records)} />
    </div>
  );
}

interface FlowProps {
  readonly steps: readonly ProgramStep[];
  /** JSON pointer of the list. */
  readonly at: string;
  readonly states: StepStates;
}

function Flow({steps, at, states}: FlowProps): JSX.Element {
  return (
    <ol class="flow">
      {steps.map((step, index) => (
        <Step key={index} step={step} at={`${at}/${index}`} states={states} />
      ))}
    </ol>
  );
}

function Step({
  step,
  at,
  states,
}: {
  readonly step: ProgramStep;
  readonly at: string;
  readonly states: StepStates;
}): JSX.Element {
  const records = states.get(at) ?? [];
  const state = worstState(records);
  const lists = innerSteps(step);
  return (
    <li class={`step ${state ?? 'unreached'}`}>
      <div class="node">
        <code>{describeStep(step)}</code>{' '}
        {state === undefined ? <small class="quiet">not begun</small> : <Badge of={state} />}{' '}
        <Executions of={records} />
      </div>
      {lists.length > 0 && (
        <div class="branches">
          {lists.map(({pointer, steps}) => {
            const title = titleOfSteps(step, pointer);
            return (
              <section key={pointer}>
                {title !== undefined && <h3>{title}</h3>}
                <Flow steps={steps} at={at + pointer} states={states} />
              </section>
            );
          })}
        </div>
      )}
    </li>
  );
}

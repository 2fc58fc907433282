// The required state after the acknowledgements: the generation of each area, and the state of parked changes.
import {areas, type Area} from './generations.ts';
import type {ChangeStep, ReportedChange} from './reported-changes.ts';

export class KnownChanges {
  readonly generations: Record<Area, number> = {free: 0, asked: 0};
  /** By receipt; parked ones may still be approved. */
  readonly states = new Map<string, string>();
  readonly problems: string[] = [];
  /** What was begun and not acknowledged. */
  open: ChangeStep | undefined;

  /** Whether the machine loses its power, which takes results of calls with it that were not yet on disk. */
  readonly powerIsCut: boolean;

  constructor(powerIsCut: boolean) {
    this.powerIsCut = powerIsCut;
  }

  record(reported: ReportedChange): void {
    this.open = reported.says === 'tries' ? reported.step : undefined;
    if (reported.says === 'tries') return;
    const {step, state, receipt_id = ''} = reported;
    this.states.set(receipt_id, state);
    if (!expected(step).includes(state)) this.problems.push(`${step.does} of ${step.generation} gave ${state}`);
    if (state === 'applied') this.generations[areaOf(step)] = step.generation;
  }

  /** Takes what was found as known, once it is one of what may be. */
  settle(found: Readonly<Record<Area, number>>): void {
    for (const area of areas) {
      const may = [this.generations[area], ...(this.#mayBe(area) ?? [])];
      if (!may.includes(found[area])) {
        this.problems.push(`${area} has generation ${found[area]}, which is not one of ${may.join(', ')}`);
      }
      this.generations[area] = found[area];
    }
  }

  #mayBe(area: Area): readonly number[] | undefined {
    const step = this.open;
    if (step === undefined || areaOf(step) !== area) return undefined;
    return expected(step).includes('applied') ? [step.generation] : undefined;
  }
}

export function areaOf(step: ChangeStep): Area {
  if (step.does === 'write') return step.area;
  return step.does === 'revert' ? 'free' : 'asked';
}

/** Parked changes are based on files that others may have changed before they are approved. */
function expected(step: ChangeStep): readonly string[] {
  if (areaOf(step) === 'free') return ['applied'];
  if (step.does === 'write') return ['parked'];
  return step.does === 'reject' ? ['discarded'] : ['applied', 'conflict'];
}

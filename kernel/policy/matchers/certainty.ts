// Whether a condition matches every request of a situation, some, or none.
import type {Certainty, Reach} from './matcher-key.ts';

export function certain(holds: boolean): Certainty {
  return holds ? 'always' : 'never';
}

export function allOf(reaches: readonly Reach[]): Reach {
  return (situation) => {
    const found = reaches.map((reach) => reach(situation));
    if (found.includes('never')) return 'never';
    return found.includes('maybe') ? 'maybe' : 'always';
  };
}

const opposites: Readonly<Record<Certainty, Certainty>> = {never: 'always', maybe: 'maybe', always: 'never'};

export function opposite(reach: Reach): Reach {
  return (situation) => opposites[reach(situation)];
}

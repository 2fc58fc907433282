// `permission`, `surface` and `role`: one of a few known names.
import type {PolicyRequest} from '../policy-request.ts';
import {certain} from './certainty.ts';
import {inAnyRule, type MatcherKey, type Situation} from './matcher-key.ts';

export interface ChoiceSubject extends Pick<MatcherKey, 'example'>, Partial<Pick<MatcherKey, 'insteadIn'>> {
  readonly name: string;
  readonly choices: readonly string[];
  read(request: PolicyRequest): string | undefined;
  /** Undefined when it is not known beforehand. */
  readonly known?: (situation: Situation) => string | undefined;
}

export function choiceKey({name, choices, read, known, example, ...rest}: ChoiceSubject): MatcherKey {
  return {
    compile(operand, pointer, site) {
      if (!Array.isArray(operand) || !operand.every((choice) => choices.includes(choice))) {
        const list = choices.map((choice) => `\`${choice}\``).join(', ');
        return site.reject(pointer, 'POLICY_MATCHER_INVALID', `\`${name}\` needs a list of ${list}`);
      }
      const named = new Set<unknown>(operand);
      return (request) => named.has(read(request));
    },
    reach: (named: readonly unknown[]) => (situation) =>
      known === undefined ? 'maybe' : certain(named.includes(known(situation))),
    *requires(named: readonly unknown[]) {
      yield {subject: name, read, values: named, prefixes: []};
    },
    names: () => [],
    example,
    ...inAnyRule,
    ...rest,
  };
}

// `tainted`: whether the session or the task of a call may contain what an untrusted tool returned.
import type {PolicyExample} from '@lumenflow/schemas';
import type {TaintOrigin} from '../../taint/taint.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {compileSources} from '../taint/compile-sources.ts';
import type {MatcherKey, Reach, RequiredValue} from './matcher-key.ts';

export const taintedKey: MatcherKey = {
  compile(operand, pointer, site) {
    const isNamed = compileSources(operand, pointer, site);
    return ({tainted}) => tainted?.().some(isNamed) ?? false;
  },
  reach: reachOfCalls,
  *requires() {
    yield requiresTaint;
  },
  names: () => [],
  example: ({tainted, carries}) => {
    const origins = [...sourcesOf(tainted), ...sourcesOf(carries)];
    return origins.length === 0 ? {} : {tainted: () => origins};
  },
  insteadIn: (trigger) =>
    trigger === 'on_claim' || trigger === 'on_completion' ? 'use it in a rule about calls' : undefined,
};

/** No condition on taint matches a clean call. */
export const requiresTaint: RequiredValue = {
  subject: 'tainted',
  read: ({tainted}: PolicyRequest) => (tainted?.().length ?? 0) > 0,
  values: [true],
  prefixes: [],
};

export function reachOfCalls(): Reach {
  return ({tool}) => (tool ? 'maybe' : 'never');
}

export function sourcesOf(named: PolicyExample['call']['tainted']): readonly TaintOrigin[] {
  return [named ?? []].flat().map((tool_name) => ({tool_name, receipt_id: 'example'}));
}

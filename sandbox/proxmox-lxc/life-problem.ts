// A step in the life of a container that failed.
import {failed, type Failed} from '../outcome.ts';
import type {ProxmoxFailure} from './proxmox-failure.ts';

export type LifeStep =
  | 'copied'
  | 'accepted'
  | 'limited'
  | 'saved'
  | 'started'
  | 'reached'
  | 'rolled back'
  | 'destroyed';

export interface LifeProblem {
  readonly step: LifeStep;
  readonly failure: ProxmoxFailure;
}

export function failedAt(step: LifeStep, failure: ProxmoxFailure): Failed<LifeProblem> {
  return failed({step, failure});
}

// Whether a runner has announced itself, before which nothing of a handler runs. What is on stderr could be the handler's own.
import {Socket} from 'node:net';
import type {StartedRunner} from '../backends/sandbox-backend.ts';

/** True for a program without a wire. */
export function hasBegun({wire}: Pick<StartedRunner, 'wire'>): boolean {
  return wire === undefined || (wire instanceof Socket && wire.bytesRead > 0);
}

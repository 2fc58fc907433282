import type {Outcome} from '@lumenflow/kernel';
import type {KeyProblem} from '../../keys/key-folder.ts';
import {CliError} from '../failures/cli-error.ts';

/** Throws CliError KEY_UNUSABLE. */
export function keyValue<T>(outcome: Outcome<T, KeyProblem>): T {
  if (outcome.ok) return outcome.value;
  const {message, help} = outcome.problem;
  throw new CliError('KEY_UNUSABLE', message, {help});
}

// `--witness` and `--witnesses` of `evidence verify`: whose cosignatures are required.
import {parseWitnessKey, type RequiredWitnesses} from '@lumenflow/kernel/node';
import {CliError} from '../failures/cli-error.ts';

export interface WitnessOptions {
  readonly witness?: readonly string[];
  readonly witnesses?: string;
}

/** Throws CliError INVALID_ARGUMENT. */
export function mustBeWitnesses({witness = [], witnesses}: WitnessOptions): void {
  for (const key of witness) {
    if (parseWitnessKey(key)) continue;
    throw new CliError('INVALID_ARGUMENT', `\`${key}\` is not the verifier key of a witness`, {
      help: 'a verifier key is `name+id+base64`: `lumenflow evidence witness init` and `serve` print it',
    });
  }
  // Under another name, the same key would be another signature by the same witness.
  if (new Set(witness.map((key) => key.split('+').slice(2).join('+'))).size < witness.length) {
    throw new CliError('INVALID_ARGUMENT', 'a witness is named twice', {help: 'name each witness once'});
  }
  if (witnesses === undefined || isCount(witnesses, witness.length)) return;
  throw new CliError('INVALID_ARGUMENT', `\`${witnesses}\` is not a number of witnesses for --witnesses`, {
    help: `name each witness with --witness, and require 1 to ${Math.max(1, witness.length)} of them`,
  });
}

function isCount(text: string, count: number): boolean {
  return /^[1-9][0-9]*$/u.test(text) && Number(text) <= count;
}

/** Undefined if none is given. */
export function givenWitnesses({witness, witnesses}: WitnessOptions): RequiredWitnesses | undefined {
  if (witness === undefined) return undefined;
  return {keys: witness, required: witnesses === undefined ? undefined : Number(witnesses)};
}

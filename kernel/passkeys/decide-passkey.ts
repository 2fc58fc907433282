// Which changes of passkeys are allowed: pure, from the newest state.
import type {Person} from '@lumenflow/schemas';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import type {PasskeyRecord} from './passkey-record.ts';

/** A passkey that a surface has seen a person create. */
export interface PasskeyEnrolment extends Pick<
  PasskeyRecord,
  'passkey_id' | 'name' | 'label' | 'public_key' | 'rp_id' | 'origin' | 'sign_count'
> {
  readonly person?: Person | undefined;
}

export interface PasskeyRemoval {
  readonly passkey_id: string;
  /** The person, or an admin. */
  readonly by: string;
}

const passkeysMax = 20;
const labelMax = 64;

/** `known`: the passkey with this id, also if it was removed. `own`: passkeys that the person has. */
export function decideEnrolment(
  {known, own}: {readonly known: PasskeyRecord | undefined; readonly own: number},
  {person, ...enrolment}: PasskeyEnrolment,
  timestamp: string,
): TransitionResult<NewEvent> {
  const {name, label} = enrolment;
  if (label.trim() === '' || label.length > labelMax || /\p{C}/u.test(label)) {
    return fail('INVALID_INPUT', `the name of a passkey must have 1 to ${labelMax} visible characters`, {label});
  }
  if (known) return fail('PASSKEY_TAKEN', 'this passkey was enrolled before: create another one');
  if (own >= passkeysMax) {
    return fail('INVALID_INPUT', `\`${name}\` has ${own} passkeys, the most that are allowed: remove one first`, {
      name,
    });
  }
  return succeed({
    type: 'person_passkey_added',
    timestamp,
    actor: name,
    ...enrolment,
    label: label.trim(),
    ...(person && {person}),
  });
}

export function decidePasskeyRemoval(
  known: PasskeyRecord | undefined,
  {passkey_id, by}: PasskeyRemoval,
  timestamp: string,
): TransitionResult<NewEvent> {
  if (known === undefined || known.removed_at !== undefined) {
    return fail('PASSKEY_NOT_FOUND', `there is no passkey \`${passkey_id}\`: it may have been removed`);
  }
  return succeed({type: 'person_passkey_removed', timestamp, actor: by, name: known.name, passkey_id});
}

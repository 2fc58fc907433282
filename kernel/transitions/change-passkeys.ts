// Passkeys added and removed, through the log.
import type {Kernel} from '../context/kernel.ts';
import {
  decideEnrolment,
  decidePasskeyRemoval,
  type PasskeyEnrolment,
  type PasskeyRemoval,
} from '../passkeys/decide-passkey.ts';
import {isPasskeyOf, type PasskeyRecord} from '../passkeys/passkey-record.ts';
import type {NewEvent} from '../ports.ts';
import {succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';

/** Those that the person can sign with. */
export function passkeysOf(
  {state}: Kernel,
  {name, person}: Pick<PasskeyEnrolment, 'name' | 'person'>,
): PasskeyRecord[] {
  return [...state.passkeys.values()].filter(
    (passkey) => passkey.removed_at === undefined && isPasskeyOf(passkey, name, person),
  );
}

export async function addPasskey(
  kernel: Kernel,
  enrolment: PasskeyEnrolment,
): Promise<TransitionResult<PasskeyRecord>> {
  const {passkey_id, name} = enrolment;
  const invalid = checkIds({name});
  if (invalid) return invalid;
  return await change(kernel, passkey_id, (known, timestamp) =>
    decideEnrolment({known, own: passkeysOf(kernel, enrolment).length}, enrolment, timestamp),
  );
}

export async function removePasskey(kernel: Kernel, removal: PasskeyRemoval): Promise<TransitionResult<PasskeyRecord>> {
  const invalid = checkIds({by: removal.by});
  if (invalid) return invalid;
  return await change(kernel, removal.passkey_id, (known, timestamp) =>
    decidePasskeyRemoval(known, removal, timestamp),
  );
}

async function change(
  {ports, state}: Kernel,
  id: string,
  decide: (known: PasskeyRecord | undefined, timestamp: string) => TransitionResult<NewEvent>,
): Promise<TransitionResult<PasskeyRecord>> {
  const decided = await ports.events.transact(() => {
    const result = decide(state.passkeys.get(id), ports.clock.timestamp());
    return {events: result.success ? [result.data] : [], result};
  });
  return decided.success ? succeed(state.passkeys.get(id) as PasskeyRecord) : decided;
}

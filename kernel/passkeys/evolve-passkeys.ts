// The fold of passkeys: enrolled, used by approvals, removed.
import type {KernelEvent} from '@lumenflow/schemas';
import type {RecordTable} from '../records/record-table.ts';
import type {PasskeyRecord} from './passkey-record.ts';
import {signCountOf} from './sign-count.ts';

/** By `passkey_id`. */
export function evolvePasskeys(passkeys: RecordTable<PasskeyRecord>, event: KernelEvent): void {
  if (event.type === 'person_passkey_added') {
    const {passkey_id, name, person, label, public_key, rp_id, origin, sign_count, timestamp: added_at} = event;
    const key = {public_key, rp_id, origin, sign_count};
    passkeys.set(passkey_id, {passkey_id, name, ...(person && {person}), label, ...key, added_at});
  } else if (event.type === 'person_passkey_removed') {
    change(passkeys, event.passkey_id, {removed_at: event.timestamp, removed_by: event.actor});
  } else if (event.type === 'approval_resolved' && event.assertion) {
    const {passkey_id, authenticator_data} = event.assertion;
    change(passkeys, passkey_id, {sign_count: signCountOf(authenticator_data), last_used_at: event.timestamp});
  }
}

function change(passkeys: RecordTable<PasskeyRecord>, id: string, changed: Partial<PasskeyRecord>): void {
  const known = passkeys.get(id);
  if (known) passkeys.set(id, {...known, ...changed});
}

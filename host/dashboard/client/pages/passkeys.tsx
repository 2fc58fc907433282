// The passkeys of the signed-in person: adding and removing them.
import type {HttpPasskey, HttpPasskeyList} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {Loaded, Problem, Section, Time} from '../elements.tsx';
import {useResource, useSession} from '../page-session.ts';
import {AddPasskey} from '../passkeys/add-passkey.tsx';

const passkeyEvents = /^(?:person_passkey_|approval_resolved$)/;

export function PasskeysPage(): JSX.Element {
  const {api, caller} = useSession();
  const list = useResource<HttpPasskeyList>('/v1/passkeys', passkeyEvents);
  const [said, setSaid] = useState('');
  const [error, setError] = useState<Error>();
  const status = useRef<HTMLParagraphElement>(null);
  const done = (text: string): void => {
    setError(undefined);
    setSaid(text);
    // The button that had the focus is gone.
    status.current?.focus();
    list.reload();
  };
  const remove = ({passkey_id, label}: HttpPasskey): void => {
    if (!confirm(`Remove the passkey “${label}”? Approvals that it signed stay valid.`)) return;
    const removed = async (): Promise<void> => {
      await api.remove(`/v1/passkeys/${encodeURIComponent(passkey_id)}`);
      done(`Removed “${label}”.`);
    };
    removed().catch(setError);
  };
  return (
    <>
      <p class={said === '' ? 'hidden' : 'said'} role="status" tabIndex={-1} ref={status}>
        {said}
      </p>
      {error && <Problem error={error} />}
      <Loaded from={list}>
        {({passkeys, enrolment, unavailable}) => (
          <Section title={`Passkeys of ${caller.name}`}>
            <p>
              Some approvals must be signed with a passkey: a key on your device, phone or security key. You confirm
              each signature with your fingerprint, face or PIN.
            </p>
            {passkeys.length === 0 ? (
              <p class="quiet">You have no passkey.</p>
            ) : (
              <PasskeyList of={passkeys} onRemove={remove} />
            )}
            {enrolment && (
              <AddPasskey enrolment={enrolment} passkeys={passkeys} onAdded={(label) => done(`Added “${label}”.`)} />
            )}
            {unavailable !== undefined && <p>No passkey can be added here: {unavailable}.</p>}
          </Section>
        )}
      </Loaded>
    </>
  );
}

interface PasskeyListProps {
  readonly of: readonly HttpPasskey[];
  onRemove(passkey: HttpPasskey): void;
}

function PasskeyList({of, onRemove}: PasskeyListProps): JSX.Element {
  return (
    <ul class="passkeys" aria-label="Your passkeys">
      {of.map((passkey) => (
        <li key={passkey.passkey_id}>
          <div>
            <b>{passkey.label}</b>
            <small class="quiet">
              signs at {passkey.origin}, added <Time at={passkey.added_at} />,{' '}
              {passkey.last_used_at === undefined ? (
                'never used'
              ) : (
                <>
                  last used <Time at={passkey.last_used_at} />
                </>
              )}
            </small>
          </div>
          <button type="button" aria-label={`Remove ${passkey.label}`} onClick={() => onRemove(passkey)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}

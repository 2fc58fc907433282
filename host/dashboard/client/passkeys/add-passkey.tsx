// The form that creates a passkey and enrols it.
import type {HttpPasskey, HttpPasskeyList} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {Problem} from '../elements.tsx';
import {useSession} from '../page-session.ts';
import {createPasskey} from './web-authn.ts';

interface AddPasskeyProps {
  readonly enrolment: NonNullable<HttpPasskeyList['enrolment']>;
  readonly passkeys: readonly HttpPasskey[];
  onAdded(label: string): void;
}

export function AddPasskey({enrolment, passkeys, onAdded}: AddPasskeyProps): JSX.Element {
  const {api} = useSession();
  const [label, setLabel] = useState('');
  const [error, setError] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const text = useRef<HTMLInputElement>(null);
  const {origin} = enrolment;
  if (origin !== location.origin) {
    return (
      <p>
        Passkeys of this workspace work at <a href={`${origin}/#/passkeys`}>{origin}</a> only.
      </p>
    );
  }
  const add = async (): Promise<void> => {
    const created = await createPasskey(enrolment, passkeys);
    await api.post('/v1/passkeys', {label: label.trim(), ...created});
    setLabel('');
    onAdded(label.trim());
  };
  return (
    <form
      class="add-passkey"
      onSubmit={(event) => {
        event.preventDefault();
        if (label.trim() === '') {
          setError(new Error('give the passkey a name, so that you recognize it later'));
          return text.current?.focus();
        }
        setError(undefined);
        setIsBusy(true);
        return void add()
          .catch(setError)
          .finally(() => setIsBusy(false));
      }}
    >
      <label>
        Name of the passkey
        <input
          ref={text}
          value={label}
          maxLength={64}
          autocomplete="off"
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={isBusy}>
        Add a passkey
      </button>
      {error && <Problem error={error} />}
    </form>
  );
}

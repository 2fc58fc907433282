// Signs a person in at the issuer, if the workspace has one, or asks for a token. The form is not submitted: the token goes into a
// header of later requests.
import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Problem} from './elements.tsx';
import {beginSignIn, isSignInOffered} from './issuer-sign-in.ts';

interface Props {
  readonly isBusy: boolean;
  readonly error?: Error;
  onToken(token: string): void;
}

export function SignIn({isBusy, error, onToken}: Props): JSX.Element {
  const [text, setText] = useState('');
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          onToken(text.trim());
          setText('');
        }}
      >
        <h1>LumenFlow</h1>
        <IssuerButton isBusy={isBusy} />
        <p class="quiet">
          Enter a token with role operator or admin. <code>lumenflow serve</code> printed the first token; create more
          with <code>lumenflow token create NAME --role operator</code>.
        </p>
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Sign in
        </button>
        {error && <Problem error={error} />}
      </form>
    </main>
  );
}

function IssuerButton({isBusy}: Pick<Props, 'isBusy'>): JSX.Element | null {
  const [isOffered, setIsOffered] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    isSignInOffered().then(setIsOffered, setError);
  }, []);
  if (!isOffered) return error ? <Problem error={error} /> : null;
  return (
    <>
      <button
        type="button"
        disabled={isBusy || isLeaving}
        onClick={() => {
          setIsLeaving(true);
          beginSignIn().catch((failure: Error) => {
            setIsLeaving(false);
            setError(failure);
          });
        }}
      >
        Sign in with your organization
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

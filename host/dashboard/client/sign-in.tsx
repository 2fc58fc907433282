// Asks for a token. The form is not submitted: the token goes into a header of later requests.
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Problem} from './elements.tsx';

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

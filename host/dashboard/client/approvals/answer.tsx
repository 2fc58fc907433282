// The two answers to a request. One press of a key, or one click, sends one answer.
import type {HttpApproval, HttpSigning} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {Problem} from '../elements.tsx';
import {useKeys} from '../keys.ts';
import {useSession} from '../page-session.ts';
import {signWith} from '../passkeys/web-authn.ts';
import {NeededPasskey, passkeysHere} from './needed-passkey.tsx';

interface AnswerProps {
  readonly id: string;
  /** Of an approval that must be signed. */
  readonly signing?: HttpSigning | undefined;
  onDone(approved: boolean, missing: HttpApproval['missing']): void;
}

export function Answer({id, signing, onDone}: AnswerProps): JSX.Element {
  const {api} = useSession();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<Error>();
  const [isSending, setIsSending] = useState(false);
  const text = useRef<HTMLInputElement>(null);
  // The state of the buttons changes with the next paint, which is too late for the second click of two.
  const isSent = useRef(false);
  const answer = (approved: boolean): void => {
    if (isSent.current) return;
    isSent.current = true;
    setIsSending(true);
    setError(undefined);
    const send = async (): Promise<HttpApproval> => {
      const assertion = approved && signing ? await signWith(passkeysHere(signing), signing) : undefined;
      const body = {approved, ...(reason.trim() !== '' && {reason: reason.trim()}), ...(assertion && {assertion})};
      return await api.post<HttpApproval>(`/v1/approvals/${encodeURIComponent(id)}`, body);
    };
    send()
      .then(({missing}) => onDone(approved, missing), setError)
      .finally(() => {
        isSent.current = false;
        setIsSending(false);
      });
  };
  const reject = (): void => {
    if (reason.trim() !== '') return answer(false);
    setError(new Error('give a reason: the agent reads it'));
    return text.current?.focus();
  };
  const canApprove = signing === undefined || passkeysHere(signing).length > 0;
  useKeys({a: () => canApprove && answer(true), r: reject});
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        reject();
      }}
    >
      <label>
        Reason
        <input ref={text} value={reason} maxLength={4096} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <button type="button" class="approve" disabled={isSending || !canApprove} onClick={() => answer(true)}>
        {signing ? 'Approve with passkey' : 'Approve'}
      </button>
      <button type="submit" class="reject" disabled={isSending}>
        Reject
      </button>
      {signing && <NeededPasskey signing={signing} id={id} />}
      {error && <Problem error={error} />}
    </form>
  );
}

// An operator's decision about kept changes. An answer to the request settles parked changes.
import type {HttpChanges} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Problem} from './elements.tsx';
import {useSession} from './page-session.ts';

interface SettleProps {
  readonly of: HttpChanges;
  onDone(): void;
}

export function Settle({of: {receipt_id, state}, onDone}: SettleProps): JSX.Element | null {
  const {api} = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error>();
  if (state === 'parked') {
    return (
      <p>
        These changes need approval: <a href="#/approvals">answer the request</a>.
      </p>
    );
  }
  if (state !== 'conflict' && state !== 'failed') return null;
  const settle = (verb: 'apply' | 'discard'): void => {
    setIsBusy(true);
    setError(undefined);
    api
      .post(`/v1/changes/${encodeURIComponent(receipt_id)}/${verb}`, {})
      .then(onDone, setError)
      .finally(() => setIsBusy(false));
  };
  return (
    <div class="settle">
      <button type="button" disabled={isBusy} onClick={() => settle('apply')}>
        Apply these changes
      </button>{' '}
      <button type="button" class="reject" disabled={isBusy} onClick={() => settle('discard')}>
        Discard them
      </button>
      {error && <Problem error={error} />}
    </div>
  );
}

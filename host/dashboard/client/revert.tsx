// Reverts the changes of a call in two steps. A dry run first shows the effect.
import type {HttpCall, HttpChanges} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Diff} from './diff.tsx';
import {Problem, ReceiptLink} from './elements.tsx';
import {useSession} from './page-session.ts';

type Step =
  | {readonly at: 'idle' | 'busy'}
  | {readonly at: 'shown'; readonly changes: HttpChanges}
  | {readonly at: 'done'; readonly receiptId: string; readonly said: string};

const tool = 'kernel:revert-changes';

interface Reverted {
  readonly receiptId: string;
  readonly lane: string | undefined;
}

export function Revert({receiptId, lane}: Reverted): JSX.Element {
  const {api} = useSession();
  const [step, setStep] = useState<Step>({at: 'idle'});
  const [error, setError] = useState<Error>();
  const call = async (dry_run: boolean): Promise<HttpCall> =>
    await api.callTool(tool, {input: {receipt_id: receiptId}, dry_run, ...(lane !== undefined && {lane})});
  const show = async (): Promise<Step> => {
    const {error: refusal, metadata} = await call(true);
    if (refusal) return {at: 'done', receiptId: metadata?.receipt_id ?? '', said: refusal.message};
    const path = `/v1/evidence/${encodeURIComponent(metadata?.receipt_id ?? '')}/changes`;
    return {at: 'shown', changes: await api.get<HttpChanges>(path)};
  };
  const revert = async (): Promise<Step> => {
    const {error: refusal, metadata} = await call(false);
    return {at: 'done', receiptId: metadata?.receipt_id ?? '', said: refusal?.message ?? 'Reverted.'};
  };
  const take = (next: () => Promise<Step>): void => {
    setStep({at: 'busy'});
    setError(undefined);
    next().then(setStep, (problem: Error) => {
      setError(problem);
      setStep({at: 'idle'});
    });
  };
  return (
    <div class="revert">
      {(step.at === 'idle' || step.at === 'busy') && (
        <button type="button" disabled={step.at === 'busy'} onClick={() => take(show)}>
          Revert…
        </button>
      )}
      {step.at === 'shown' && (
        <section aria-label="What reverting would change">
          <h3>Reverting would change</h3>
          <Diff of={step.changes.files} label="Reverted lines of" />
          <button type="button" class="reject" onClick={() => take(revert)}>
            Revert these changes
          </button>{' '}
          <button type="button" onClick={() => setStep({at: 'idle'})}>
            Cancel
          </button>
        </section>
      )}
      <p role="status">
        {step.at === 'done' && (
          <>
            {step.said} See <ReceiptLink id={step.receiptId} />.
          </>
        )}
      </p>
      {error && <Problem error={error} />}
    </div>
  );
}

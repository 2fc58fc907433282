// A call whose changes waited for a person: what became of them.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {CallAttempt} from './call-attempt.ts';

export async function followParked({changes}: KernelRuntime, attempt: CallAttempt): Promise<CallAttempt> {
  if (attempt.end !== 'parked') return attempt;
  const view = await changes.of(attempt.receipt_id ?? '');
  const {request_id} = view?.recorded ?? {};
  const asked = {...attempt, ...(request_id !== undefined && {request_id})};
  if (view === undefined || view.state === 'parked' || view.state === 'settling') return asked;
  if (view.state === 'applied') return {...asked, end: 'succeeded', data: null};
  const message = `the changes of the call were not applied: they are ${view.state}`;
  return {
    ...asked,
    end: 'failed',
    error: {code: view.state === 'conflict' ? 'WRITE_CONFLICT' : 'POLICY_DENIED', message},
  };
}

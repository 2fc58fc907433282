// The ledger of calls, with the one poll of the evidence log that all streams of calls share.
import type {KernelRuntime} from '@lumenflow/kernel';
import {createSharedPoll, type SharedPoll} from '../events/shared-poll.ts';
import {createCallLedger, type CallLedger} from './call-ledger.ts';
import type {KeptStore} from './kept-counts.ts';

export interface CallFeed {
  readonly ledger: CallLedger;
  /** Refreshes the ledger. */
  readonly poll: SharedPoll;
}

/** Interval at which the evidence log is polled while streams are open. */
const pollMs = 300;

export function createCallFeed(runtime: Pick<KernelRuntime, 'evidence'>, store?: KeptStore): CallFeed {
  const ledger = createCallLedger(runtime, store);
  return {ledger, poll: createSharedPoll(ledger.refresh, pollMs)};
}

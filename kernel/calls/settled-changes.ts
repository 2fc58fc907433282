// A change set on its way to the outcome of its call.
import type {ChangeSet, ObservedPolicy, PolicyDecision, RecordedChanges} from '@lumenflow/schemas';
import type {DispatchOutcome} from '../ports.ts';
import type {FinishedChanges} from '../dispatch/finished-changes.ts';
import type {JudgedOutcome} from './judge-result.ts';

/** The part of an outcome that describes a change set. */
export interface SettledChanges extends Pick<RecordedChanges, 'state' | 'dry_run' | 'request_id' | 'reverts'> {
  readonly set: ChangeSet;
}

export interface SettledOutcome extends JudgedOutcome {
  readonly changes?: SettledChanges;
}

/** What was done with a change set, and what that makes of the outcome. */
export interface Settled extends Pick<SettledChanges, 'state' | 'dry_run' | 'request_id'> {
  readonly parts?: Partial<DispatchOutcome>;
  readonly policy_decisions?: readonly PolicyDecision[] | undefined;
  readonly observed?: ObservedPolicy | undefined;
}

export interface SettledSet {
  readonly held: FinishedChanges;
  /** With references to kept contents. */
  readonly set: ChangeSet;
}

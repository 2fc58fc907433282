// What calls changed, as an embedder asks for it.
import type {KeptChanges} from '../changes/kept-changes.ts';
import type {TransitionResult} from '../transition.ts';
import type {KeptCommand} from '../transitions/settle-kept.ts';
import type {ChangesView} from '../transitions/view-changes.ts';

export interface RuntimeChanges {
  /** Those that wait or waited, oldest first; last those of calls that ended in a conflict, as long as nobody has settled them. */
  list(): Promise<readonly KeptChanges[]>;
  /** Undefined when there is no such call, or it was not transactional. */
  of(receiptId: string): Promise<ChangesView | undefined>;
  /** Of a call whose changes were kept. Parked ones need the approval of their request. */
  apply(command: Omit<KeptCommand, 'intent'>): Promise<TransitionResult<KeptChanges>>;
  discard(command: Omit<KeptCommand, 'intent'>): Promise<TransitionResult<KeptChanges>>;
}

// The messages of a process that changes files, in order: each operation before it starts, and its acknowledgement.
import type {Area} from './generations.ts';

/** A step of the load; `tries` before, `was` once it was acknowledged. */
export type ChangeStep =
  | {readonly does: 'write'; readonly area: Area; readonly generation: number}
  /** Back to the generation before. */
  | {readonly does: 'revert'; readonly reverts: string; readonly generation: number}
  | {readonly does: 'approve' | 'reject'; readonly receipt_id: string; readonly generation: number};

export type ReportedChange =
  | {readonly says: 'tries'; readonly step: ChangeStep}
  | {
      readonly says: 'was';
      readonly step: ChangeStep;
      /** applied, parked, discarded or conflict; otherwise the error. */
      readonly state: string;
      readonly receipt_id?: string | undefined;
    };

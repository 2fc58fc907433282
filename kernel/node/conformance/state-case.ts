// A case of the conformance suite for states: what several processes do with one state, and what they must find.
import type {OpenSignedLog} from '../signed-log/open-signed-log.ts';
import type {WorkspaceState} from '../state/workspace-state.ts';

export interface SignedState {
  readonly state: WorkspaceState;
  readonly signed: OpenSignedLog;
}

/** One state, empty at the start of each case. What a case opens is closed when it ends. */
export interface StateStage {
  /** Opens the state as one more process. */
  open(): Promise<WorkspaceState>;
  /** The same, with its signed log. All signed logs of a stage have one key. */
  openSigned(): Promise<SignedState>;
  /** From now on, the other processes see that the process of `state` died without closing it. */
  kill(state: WorkspaceState): void;
}

export interface StateCase {
  readonly name: string;
  /** Rejects with an AssertionError. */
  run(stage: StateStage): Promise<void>;
}

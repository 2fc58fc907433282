// The state of a workspace at its start: the newest snapshot of it, if there is one, and the events after that.
import {createKernelState, restoreKernelState, type KernelState} from '../context/kernel-state.ts';
import type {KernelPorts} from '../ports.ts';

/** Follows the events from then on. */
export async function foldEvents({events, contents}: Pick<KernelPorts, 'events' | 'contents'>): Promise<KernelState> {
  const snapshot = events.snapshots?.newest();
  const restored = snapshot && restoreKernelState(snapshot.text);
  const state = restored ?? createKernelState();
  contents.forget(state.redacted);
  await events.onEvent((event) => {
    state.apply(event);
    if (event.type === 'evidence_redacted') contents.forget(event.hashes);
    if (event.type === 'evidence_expired') contents.forgetAll?.();
  }, restored && snapshot.throughSeq);
  return state;
}

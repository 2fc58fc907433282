// Contents that the machine's power took before they were on disk are told of once, as an event: the records that name
// them stand, and whoever verifies them hears that it was no hand that took them.
import type {Kernel} from '../kernel.ts';

/** Before anything is signed: what was signed whole cannot be excused later. */
export async function reconcileLosses(kernel: Kernel): Promise<void> {
  const {clock, events, evidence} = kernel.ports;
  const lost = await evidence.lostContents();
  if (lost.length === 0) return;
  await events.transact(() => {
    // Another process that started meanwhile may have told it.
    const contents = lost.filter(({ref}) => !kernel.state.isLost(ref));
    const event = {
      type: 'evidence_lost' as const,
      timestamp: clock.timestamp(),
      actor: 'kernel.reconciliation',
      contents: [...contents],
    };
    return {events: contents.length > 0 ? [event] : [], result: undefined};
  });
}

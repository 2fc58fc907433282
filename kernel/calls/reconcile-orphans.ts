// Calls that a crashed process left open get their outcome: crashed, by kernel.reconciliation.
// A call of a process that still lives is left alone.
import type {Kernel} from '../context/kernel.ts';

/** Gives the receipts that were closed. */
export async function reconcileOrphans(kernel: Kernel): Promise<readonly string[]> {
  const {clock, evidence, processes} = kernel.ports;
  const orphans = (await evidence.openCalls()).filter(({started}) => !processes.isAlive(started.process_id));
  if (orphans.length === 0) return [];
  await evidence.append(
    orphans.map(({receipt_id}) => ({
      type: 'tool_call_finished' as const,
      timestamp: clock.timestamp(),
      receipt_id,
      result: 'crashed' as const,
      duration_ms: 0,
      error_code: 'TOOL_CRASHED',
      error_message: 'the process that ran this call ended before its outcome was recorded',
      policy_decisions: [
        {
          decision: 'deny' as const,
          layer: 'kernel' as const,
          rule_id: 'kernel.reconciliation',
          reason: 'outcome unknown: the call may or may not have taken effect',
        },
      ],
    })),
    {fsync: true},
  );
  return orphans.map(({receipt_id}) => receipt_id);
}

import {killGroup} from '../commands/process-guard.ts';
import {childrenOf} from '../limits/process-tree.ts';

/**
 * Ends the first processes inside a sandbox, and with them all others there. What started them waits, and ends last.
 * Killing that first would leave the inside running for a moment after it.
 */
export function killInside(pid: number): void {
  const inside = childrenOf(pid);
  // Not set up yet.
  if (inside.length === 0) return killGroup(pid, 'SIGKILL');
  for (const child of inside) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // ESRCH: it has already ended.
    }
  }
}

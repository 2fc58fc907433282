// How far a backend is known to work on this machine. It is computed from a probe, and from what LumenFlow's own tests run.
import type {ProbeReport} from '../backends/probe-report.ts';

/** `contract only`: tests ran it with a stand-in for its runtime, and nothing has run it here. */
export type Readiness = 'proven here' | 'contract only' | 'absent';

export function readinessOf(report: ProbeReport): Readiness {
  if (report.available) return 'proven here';
  return report.testedWithStandIn === true ? 'contract only' : 'absent';
}

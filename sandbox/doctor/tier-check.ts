// Whether a backend of a workspace reaches a tier that the workspace requires.
import type {SecurityTier} from '@lumenflow/schemas';
import type {ProbeReport} from '../backends/probe-report.ts';
import {refusal} from '../backends/security-tier.ts';
import type {DoctorCheck} from './doctor-check.ts';

/** `reports`: of the backends that the workspace chooses, the preferred first. */
export function tierCheck(tier: SecurityTier, reports: readonly ProbeReport[]): DoctorCheck {
  const name = `tier ${tier}`;
  const problems = reports.map((report) => (report.available ? refusal(tier, report) : report.problem));
  const met = reports[problems.indexOf(undefined)];
  if (met !== undefined) return {name, ok: true, detail: `met by \`${met.backend}\``};
  const [problem] = problems;
  const detail = problem?.message ?? 'the workspace chooses no backend';
  return {name, ok: false, detail, fix: problem?.help ?? 'add a backend to `security.sandbox.backend`'};
}

// Whether a backend of a workspace reaches a tier that the workspace requires.
import type {SecurityTier} from '@lumenflow/schemas';
import type {ProbeReport} from '../backends/probe-report.ts';
import {refusal} from '../backends/security-tier.ts';
import type {DoctorCheck} from './doctor-check.ts';

/** `reports`: of the backends that the workspace chooses, the preferred first. */
export function tierCheck(tier: SecurityTier, reports: readonly ProbeReport[]): DoctorCheck {
  const name = tierCheckName(tier);
  const problems = reports.map((report) => (report.available ? refusal(tier, report) : report.problem));
  const met = reports[problems.indexOf(undefined)];
  if (met !== undefined) return {name, ok: true, detail: `met by \`${met.backend}\``};
  const unmet = problems.flatMap((problem) => problem ?? []);
  if (unmet.length === 0) {
    return {
      name,
      ok: false,
      detail: 'the workspace chooses no backend',
      fix: 'add a backend to `security.sandbox.backend`',
    };
  }
  // Any of them would do: the reasons of all are needed to choose which to correct.
  const detail = unmet.map(({message}) => message).join('; ');
  return {name, ok: false, detail, fix: [...new Set(unmet.map(({help}) => help))].join('; or ')};
}

export function tierCheckName(tier: SecurityTier): string {
  return `tier ${tier}`;
}

// Whether a backend of a workspace meets a security profile that the workspace requires.
import type {SecurityProfile} from '@lumenflow/schemas';
import type {ProbeReport} from '../backends/probe-report.ts';
import {refusal} from '../backends/security-profile.ts';
import type {DoctorCheck} from './doctor-check.ts';

/** `reports`: of the backends that the workspace chooses, the preferred first. */
export function profileCheck(profile: SecurityProfile, reports: readonly ProbeReport[]): DoctorCheck {
  const name = `profile ${profile}`;
  const problems = reports.map((report) => (report.available ? refusal(profile, report) : report.problem));
  const met = reports[problems.indexOf(undefined)];
  if (met !== undefined) return {name, ok: true, detail: `met by \`${met.backend}\``};
  const [problem] = problems;
  const detail = problem?.message ?? 'the workspace chooses no backend';
  return {name, ok: false, detail, fix: problem?.help ?? 'add a backend to `security.sandbox.backend`'};
}

// Finds disagreements about work units between the log, the kernel and the files.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {Initiatives} from '../initiatives/initiative-slice.ts';
import type {PackConfig} from '../pack-config.ts';
import {findAllRepairs} from '../repairs/find-all-repairs.ts';
import {listSpecFiles} from '../work-units/spec-files.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnits} from '../work-units/work-unit-slice.ts';
import {byDoctor, type DoctorFinding} from './doctor-finding.ts';
import {mergedUnits} from './merged-units.ts';

type CheckContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'exec' | 'fs' | 'signal' | 'workspace_root'>;

export async function checkWorkUnits(context: CheckContext, state: WorkUnits): Promise<readonly DoctorFinding[]> {
  const {repairs} = await findAllRepairs(context, state);
  return repairs.map(({id: subject, problem: message}) => ({
    area: 'work_units',
    code: 'WU_DISAGREES',
    severity: 'error',
    subject,
    message,
    fix: byDoctor,
    fixable: true,
  }));
}

export async function findUnrecorded(context: CheckContext, {units}: WorkUnits): Promise<readonly DoctorFinding[]> {
  const ids = (await listSpecFiles(context)).filter((id) => !Object.hasOwn(units, id));
  const merged = ids.length === 0 ? new Set<string>() : await mergedUnits(context);
  return ids.map((subject) => {
    const state = merged.has(subject) ? 'its branch is merged: it becomes done' : 'it becomes ready';
    return {
      area: 'specs',
      code: 'SPEC_NOT_RECORDED',
      severity: 'warning',
      subject,
      message: `\`${specPath(context.config, subject)}\` exists, but is not recorded in the log; ${state}`,
      fix: merged.has(subject) ? byDoctor : `${byDoctor}, with \`--done ${subject}\` if it is finished`,
      fixable: true,
    };
  });
}

export function checkMemberships({initiatives, memberships}: Initiatives): readonly DoctorFinding[] {
  return Object.entries(memberships)
    .filter(([, {initiative}]) => !Object.hasOwn(initiatives, initiative))
    .map(([subject, {initiative}]) => ({
      area: 'work_units',
      code: 'INITIATIVE_UNKNOWN',
      severity: 'warning',
      subject,
      message: `it names the initiative \`${initiative}\`, which does not exist`,
      fix: 'set another initiative in its spec with `wu:edit`',
      fixable: false,
    }));
}

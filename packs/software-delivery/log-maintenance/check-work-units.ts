// Finds disagreements about work units between the log, the kernel and the files.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {Initiatives} from '../initiatives/initiative-slice.ts';
import type {PackConfig} from '../pack-config.ts';
import {findRepairs} from '../repairs/find-repairs.ts';
import {kernelTasks} from '../work-units/kernel-tasks.ts';
import {listSpecFiles} from '../work-units/spec-files.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnits} from '../work-units/work-units.ts';
import type {LogFinding} from './log-finding.ts';

type CheckContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs'>;

/** Checks which files exist, not their content: wu:validate reads them. */
export async function checkWorkUnits(context: CheckContext, {units}: WorkUnits): Promise<readonly LogFinding[]> {
  const files = new Set(await listSpecFiles(context));
  const open = Object.values(units).filter(({status}) => status !== 'done');
  const tasks = await kernelTasks(context).list(open.map(({spec}) => spec.id));
  const disagreements = open.flatMap((unit) => {
    const {id} = unit.spec;
    const seen = {task: tasks.get(id), specHash: files.has(id) ? unit.spec_hash : undefined};
    return findRepairs(unit, seen).map(({problem}) => disagrees(id, problem));
  });
  const unrecorded = [...files].filter((id) => !Object.hasOwn(units, id));
  return [...disagreements, ...unrecorded.map((id) => notRecorded(id, specPath(context.config, id)))];
}

export function checkMemberships({initiatives, memberships}: Initiatives): readonly LogFinding[] {
  return Object.entries(memberships)
    .filter(([, {initiative}]) => !Object.hasOwn(initiatives, initiative))
    .map(([subject, {initiative}]) => ({
      code: 'INITIATIVE_UNKNOWN',
      severity: 'warning',
      subject,
      message: `it names the initiative \`${initiative}\`, which does not exist`,
      fix: 'set another initiative in its spec with `wu:edit`',
    }));
}

function disagrees(subject: string, message: string): LogFinding {
  return {code: 'WU_DISAGREES', severity: 'error', subject, message, fix: 'run `wu:repair` to fix it'};
}

function notRecorded(subject: string, path: string): LogFinding {
  const message = `\`${path}\` exists, but is not recorded in the log`;
  return {code: 'SPEC_NOT_RECORDED', severity: 'warning', subject, message, fix: 'run `state:bootstrap` to record it'};
}

// doctor reports what is wrong with the pack's state, area by area, and fixes it on request. Each fix is a call of an internal
// tool, so that policy judges it, and so that a person is asked only if there is something to fix.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import type {Area, DoctorFinding} from '../../log-maintenance/doctor-finding.ts';
import {readWholeLog} from '../../log-maintenance/read-whole-log.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice, type WorkUnits} from '../../work-units/work-unit-slice.ts';
import {areas, examine} from './examine.ts';

interface DoctorInput {
  /** Default: all. */
  readonly areas?: readonly Area[];
  readonly fix?: boolean;
  /** Unrecorded work units to record as done. */
  readonly done?: readonly string[];
  /** Interrupted merges are resumed by default. */
  readonly roll_back?: boolean;
}

interface DoctorOutput {
  /** True if no finding is an error. */
  readonly sound: boolean;
  readonly events: number;
  readonly bytes: number;
  /** With `fix`, those that are left. */
  readonly findings: readonly DoctorFinding[];
  readonly fixed: readonly Fixed[];
}

interface Fixed {
  readonly area: Area;
  readonly tool: string;
  readonly result: unknown;
}

export const doctor: ToolDefinition<DoctorInput, DoctorOutput, PackConfig> = defineTool({
  async run({areas: asked = areas, fix = false, ...choices}, context) {
    const log = openDeliveryLog(context);
    const look = async (): ReturnType<typeof examine> =>
      await examine({context, log, whole: await readWholeLog(context)}, asked);
    let findings = await look();
    const fixed: Fixed[] = [];
    for (const area of fix ? areas : []) {
      const found = findings.filter((each) => each.area === area && each.fixable);
      const steps = found.length === 0 ? [] : stepsOf(area, found, {...choices, state: await log.read(workUnitSlice)});
      for (const {tool, input} of steps) fixed.push({area, tool, result: await callOrThrow(context, tool, input)});
    }
    if (fixed.length > 0) findings = await look();
    const {events, size} = await readWholeLog(context);
    const sound = findings.every(({severity}) => severity !== 'error');
    return {sound, events: events.length, bytes: size, findings, fixed};
  },
});

interface Choices extends Pick<DoctorInput, 'done' | 'roll_back'> {
  readonly state: WorkUnits;
}

interface Step {
  readonly tool: string;
  readonly input: object;
}

function stepsOf(
  area: Area,
  found: readonly DoctorFinding[],
  {done, roll_back: rollBack, state}: Choices,
): readonly Step[] {
  const subjects = [...new Set(found.map(({subject}) => subject))];
  switch (area) {
    case 'log': {
      const isUnknown = ({code}: DoctorFinding): boolean => code === 'STATE_UNKNOWN';
      const rebuild = found.every(isUnknown) ? [] : [{tool: 'state:rebuild', input: {}}];
      return found.some(isUnknown) ? [...rebuild, {tool: 'state:cleanup', input: {}}] : rebuild;
    }
    case 'specs':
      return [{tool: 'state:bootstrap', input: done === undefined ? {} : {done}}];
    case 'work_units':
      return [{tool: 'wu:repair', input: {ids: subjects.slice(0, 1000)}}];
    case 'merges':
      return subjects.map((id) => {
        const lease_token = state.units[id]?.lease?.token;
        return {tool: 'wu:recover', input: {id, lease_token, action: rollBack === true ? 'roll_back' : 'resume'}};
      });
    case 'stalled':
      return [{tool: 'orchestrate:recover', input: {wus: subjects.slice(0, 100)}}];
    case 'worktrees':
      return [{tool: 'wu:prune', input: {}}];
    case 'memory':
      return [{tool: 'mem:cleanup', input: {}}];
    case 'signals':
      return [{tool: 'signal:cleanup', input: {}}];
    default:
      return area satisfies never;
  }
}

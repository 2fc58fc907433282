// Creates a work unit: records it with a new id, writes its file and creates its kernel task. If a step fails, the record is
// withdrawn. After a crash, `doctor` completes the rest from the record.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../nested-calls/write-doc.ts';
import {actorStampOf, type EventStamp} from '../events/delivery-event.ts';
import type {Decision, DeliveryLog} from '../events/delivery-log.ts';
import type {PackConfig} from '../pack-config.ts';
import {assignmentEvents, type Assignment} from '../work-units/assign-work-unit.ts';
import {checkDraft} from './check-draft.ts';
import {fillDraft, type PartialSpec} from './fill-draft.ts';
import {findTemplate} from './find-template.ts';
import {kernelTasks, type LaneView} from '../work-units/kernel-tasks.ts';
import {specHash} from '../work-units/spec-hash.ts';
import {listSpecFiles} from '../work-units/spec-files.ts';
import {specPath} from '../work-units/spec-place.ts';
import {unreachablePaths} from '../work-units/unreachable-paths.ts';
import {workUnitSlice, type WorkUnits} from '../work-units/work-unit-slice.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {wuId, wuNumber} from '../work-units/wu-id.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';

/** Without an id, one is assigned. `fillDraft` completes the rest. */
export interface WuDraft extends PartialSpec, Assignment {
  readonly template?: string;
}

export interface CreatedWorkUnit {
  readonly id: string;
  /** Path of the spec file. */
  readonly path: string;
  readonly spec_hash: string;
  /** Fields that the call did not name, such as `lane: core`. */
  readonly filled?: readonly string[];
  /** What a claim would not be able to do. */
  readonly warnings?: readonly string[];
  readonly dry_run: boolean;
}

type CreateContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs' | 'session_id' | 'principal'>;

interface Recorded {
  readonly spec: WuSpec;
  readonly text: string;
  readonly hash: string;
}

/** Throws ToolErrors ID_TAKEN, SPEC_EXISTS, those of `findTemplate`, of `checkDraft` and of the kernel. */
export async function createWorkUnit(
  context: CreateContext,
  log: DeliveryLog,
  {template: named, assignee, due, ...given}: WuDraft,
  dryRun: boolean,
): Promise<CreatedWorkUnit> {
  const {config} = context;
  const tasks = kernelTasks(context);
  const lanes = await tasks.lanes();
  const units = Object.values((await log.read(workUnitSlice)).units);
  const chosen = named ?? config?.defaults?.template;
  const template = chosen === undefined ? {} : await findTemplate(context, chosen);
  const draft = fillDraft(given, {config, template, lanes, units});
  const stamp = actorStampOf(context);
  const files = await listSpecFiles(context);
  if (draft.id !== undefined && files.includes(draft.id))
    checkUnrecorded(await log.read(workUnitSlice), context, draft.id);
  // Git brings spec files of other clones, which the log of this clone need not have.
  const first = files.reduce((highest, id) => Math.max(highest, wuNumber(id)), 0) + 1;
  const assignment = {...(assignee !== undefined && {assignee}), ...(due !== undefined && {due})};
  const decide = (state: WorkUnits): Decision<WuEvent, Recorded> => {
    const {events, result} = decideCreate(state, {
      draft,
      stamp,
      lanes,
      first,
      prefix: config?.wu_id_prefix,
      surface: context.principal?.surface,
    });
    return {events: [...events, ...assignmentEvents(context, {id: result.spec.id, stamp}, assignment)], result};
  };
  const {spec, text, hash} = dryRun
    ? decide(await log.read(workUnitSlice)).result
    : await log.decide(workUnitSlice, decide);
  const path = specPath(context.config, spec.id);
  if (!dryRun) {
    await undoneOnFailure(log, {id: spec.id, stamp}, async () => {
      await writeNew(context, path, text);
      try {
        await tasks.create(spec);
      } catch (error) {
        await writeDoc(context, {path});
        throw error;
      }
    });
  }
  const filled = Object.entries(draft).flatMap(([field, value]) =>
    Object.hasOwn(given, field) ? [] : [`${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  const warnings = unreachablePaths(spec, lanes).map(
    (each) => `lane \`${spec.lane}\` does not allow writes to \`${each}\``,
  );
  return {
    id: spec.id,
    path,
    spec_hash: hash,
    ...(filled.length > 0 && {filled}),
    ...(warnings.length > 0 && {warnings}),
    dry_run: dryRun,
  };
}

interface Creation {
  readonly draft: PartialSpec;
  readonly stamp: EventStamp;
  readonly lanes: readonly LaneView[];
  /** Lower numbers have spec files. */
  readonly first: number;
  readonly prefix: string | undefined;
  readonly surface: string | undefined;
}

function decideCreate(
  state: WorkUnits,
  {draft, stamp, lanes, first, prefix, surface}: Creation,
): Decision<WuEvent, Recorded> {
  const id = draft.id ?? wuId(Math.max(state.next_number, first), prefix);
  if (state.units[id] !== undefined) throw new ToolError('ID_TAKEN', `the work unit \`${id}\` already exists`, {id});
  const spec = checkDraft({...draft, id}, {lanes, state, surface});
  const text = writeSpec(spec);
  const hash = specHash(text);
  return {events: [{type: 'wu_created', ...stamp, id, spec, spec_hash: hash}], result: {spec, text, hash}};
}

async function undoneOnFailure(
  log: DeliveryLog,
  {id, stamp}: {readonly id: string; readonly stamp: EventStamp},
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = `not created: ${error instanceof Error ? error.message : String(error)}`;
    await log.decide(workUnitSlice, () => ({
      events: [{type: 'wu_deleted' as const, ...stamp, id, reason, withdrawn: true as const}],
      result: undefined,
    }));
    throw error;
  }
}

async function writeNew(context: CreateContext, path: string, content: string): Promise<void> {
  try {
    await writeDoc(context, {path, content, create_only: true});
  } catch (error) {
    if (!isToolError(error) || error.code !== 'EXISTS') throw error;
    throw specExists(path);
  }
}

/** Before anything is recorded. Throws ToolError SPEC_EXISTS. */
function checkUnrecorded({units}: WorkUnits, {config}: CreateContext, id: string): void {
  if (!Object.hasOwn(units, id)) throw specExists(specPath(config, id));
}

function specExists(path: string): ToolError {
  const message = `\`${path}\` exists but is not recorded: run \`lumenflow doctor --fix\` to record it, or omit the id`;
  return new ToolError('SPEC_EXISTS', message, {path});
}

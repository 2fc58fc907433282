// Creates a work unit: records it with a new id, writes its file and creates its kernel task. If a step fails, the record is
// withdrawn. After a crash, `wu:repair` completes the rest from the record.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../calls/write-doc.ts';
import {stampOf, type EventStamp} from '../events/delivery-event.ts';
import type {Decision, DeliveryLog} from '../events/delivery-log.ts';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import type {PackConfig} from '../pack-config.ts';
import {checkLinks} from './check-links.ts';
import {checkLane} from './check-lane.ts';
import {kernelTasks} from './kernel-tasks.ts';
import {specHash} from './spec-hash.ts';
import {specPath} from './spec-place.ts';
import {workUnits, type WorkUnits} from './work-units.ts';
import {writeSpec} from './write-spec.ts';
import type {WuEvent} from './wu-event.ts';
import {wuId} from './wu-id.ts';
import type {WuSpec} from './wu-spec.ts';

/** Without an id, one is assigned. */
export type WuDraft = Omit<WuSpec, 'id'> & {readonly id?: string};

export interface CreatedWorkUnit {
  readonly id: string;
  /** Path of the spec file. */
  readonly path: string;
  readonly spec_hash: string;
  readonly dry_run: boolean;
}

type CreateContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'session_id'>;

interface Recorded {
  readonly spec: WuSpec;
  readonly text: string;
  readonly hash: string;
}

/** Throws ToolErrors LANE_UNKNOWN, INVALID_CODE_PATH, ID_TAKEN, SPEC_EXISTS, those of `checkLinks` and of the kernel. */
export async function createWorkUnit(
  context: CreateContext,
  log: DeliveryLog,
  draft: WuDraft,
  dryRun: boolean,
): Promise<CreatedWorkUnit> {
  const tasks = kernelTasks(context);
  checkLane(await tasks.lanes(), draft.lane);
  for (const path of draft.code_paths) codePathPattern(path);
  const stamp = stampOf(context);
  const decide = (state: WorkUnits): Decision<WuEvent, Recorded> =>
    decideCreate(state, {draft, stamp, prefix: context.config?.wu_id_prefix});
  const {spec, text, hash} = dryRun ? decide(await log.read(workUnits)).result : await log.decide(workUnits, decide);
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
  return {id: spec.id, path, spec_hash: hash, dry_run: dryRun};
}

interface Creation {
  readonly draft: WuDraft;
  readonly stamp: EventStamp;
  readonly prefix: string | undefined;
}

function decideCreate(state: WorkUnits, {draft, stamp, prefix}: Creation): Decision<WuEvent, Recorded> {
  const id = draft.id ?? wuId(state.next_number, prefix);
  if (state.units[id] !== undefined) throw new ToolError('ID_TAKEN', `the work unit \`${id}\` already exists`, {id});
  const spec: WuSpec = {...draft, id};
  checkLinks(state, spec);
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
    await log.decide(workUnits, () => ({
      events: [{type: 'wu_deleted' as const, ...stamp, id, reason}],
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
    const message = `\`${path}\` exists but is not recorded: run \`state:bootstrap\` to record it`;
    throw new ToolError('SPEC_EXISTS', message, {path});
  }
}

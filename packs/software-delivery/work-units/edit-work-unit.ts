// Changes a ready work unit in its file, the record and its kernel task. Without changes, records the current content of the
// file.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {writeDoc} from '../nested-calls/write-doc.ts';
import {actorStampOf} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import type {PackConfig} from '../pack-config.ts';
import {checkLinks} from './check-links.ts';
import {findWorkUnit} from './find-work-unit.ts';
import {kernelTasks} from './kernel-tasks.ts';
import {createSpecReader} from './spec-reader.ts';
import {readSpecFile, specInvalid, type SoundSpecFile} from './spec-files.ts';
import {specHash} from './spec-hash.ts';
import {workUnitSlice, type WorkUnits} from './work-unit-slice.ts';
import {editSpec, type SpecChanges} from './write-spec.ts';

export interface EditedWorkUnit {
  readonly id: string;
  readonly path: string;
  readonly spec_hash: string;
  /** True if the record changed. */
  readonly changed: boolean;
  readonly dry_run: boolean;
}

interface Edit {
  readonly id: string;
  readonly changes: SpecChanges;
  readonly dryRun: boolean;
}

type EditContext = Pick<ToolContext<PackConfig>, 'callTool' | 'config' | 'fs' | 'session_id'>;

/** Throws ToolErrors WU_NOT_FOUND, WU_NOT_READY, SPEC_MISSING, SPEC_INVALID, LANE_FIXED, and those of `checkLinks`. */
export async function editWorkUnit(
  context: EditContext,
  log: DeliveryLog,
  {id, changes, dryRun}: Edit,
): Promise<EditedWorkUnit> {
  const before = await log.read(workUnitSlice);
  const known = findWorkUnit(before, id);
  const edited = await applyChanges(context, id, changes);
  const {spec, path, hash} = edited;
  checkEdit(before, edited);
  for (const each of spec.code_paths) codePathPattern(each);
  const changed = known.spec_hash !== hash;
  if (dryRun) return {id, path, spec_hash: hash, changed, dry_run: true};
  const stamp = actorStampOf(context);
  await writtenWhile(context, edited, async () => {
    await kernelTasks(context).amend(spec);
    await log.decide(workUnitSlice, (state) => {
      checkEdit(state, edited);
      const events = changed ? [{type: 'wu_edited' as const, ...stamp, id, spec, spec_hash: hash}] : [];
      return {events, result: undefined};
    });
  });
  return {id, path, spec_hash: hash, changed, dry_run: false};
}

interface EditedFile extends SoundSpecFile {
  /** The text that it replaces. */
  readonly before: string;
}

/** If the change is rejected later, the file keeps its old content. */
async function writtenWhile(
  context: EditContext,
  {path, text, before}: EditedFile,
  record: () => Promise<void>,
): Promise<void> {
  if (text !== before) await writeDoc(context, {path, content: text});
  try {
    await record();
  } catch (error) {
    if (text !== before) await writeDoc(context, {path, content: before});
    throw error;
  }
}

async function applyChanges(context: EditContext, id: string, changes: SpecChanges): Promise<EditedFile> {
  const {path, text} = await readSpecFile(context, id);
  const edited = Object.keys(changes).length === 0 ? text : editSpec(text, changes);
  const reading = createSpecReader().read(edited, path);
  if (!('spec' in reading)) throw specInvalid(path, reading.problems);
  return {path, text: edited, hash: specHash(edited), spec: reading.spec, before: text};
}

function checkEdit(state: WorkUnits, {spec, path}: SoundSpecFile): void {
  const unit = findWorkUnit(state, spec.id);
  if (unit.status !== 'ready') {
    const help =
      unit.status === 'done' ? 'create another work unit' : 'release it with `wu:release`, which keeps its worktree';
    throw new ToolError('WU_NOT_READY', `\`${spec.id}\` is ${unit.status}, so its spec cannot change: ${help}`, {
      id: spec.id,
    });
  }
  if (unit.spec.lane !== spec.lane) {
    const message = `the lane \`${unit.spec.lane}\` of \`${spec.id}\` cannot change: create another work unit in \`${spec.lane}\``;
    throw new ToolError('LANE_FIXED', message, {id: spec.id, path});
  }
  checkLinks(state, spec);
}

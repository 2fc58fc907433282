// wu:delete deletes a ready work unit that no other one depends on. Its id is never reused.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {writeDoc} from '../../nested-calls/write-doc.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {dependencyGraph, followersOf} from '../../dependencies/dependency-graph.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {kernelTasks} from '../../work-units/kernel-tasks.ts';
import {specPath} from '../../work-units/spec-place.ts';
import {workUnitSlice, type WorkUnits} from '../../work-units/work-unit-slice.ts';

interface WuDeleteInput {
  readonly id: string;
  readonly reason: string;
  readonly dry_run?: boolean;
}

interface WuDeleteOutput extends Unsynced {
  readonly id: string;
  readonly path: string;
  readonly dry_run: boolean;
}

export const wuDelete: ToolDefinition<WuDeleteInput, WuDeleteOutput, PackConfig> = defineTool({
  async run({id, reason, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const path = specPath(context.config, id);
    return await inSync(context, dryRun, async () => {
      checkDeletable(await log.read(workUnitSlice), id);
      if (!dryRun) {
        await removedWhile(context, path, async () => {
          await log.decide(workUnitSlice, (state) => {
            checkDeletable(state, id);
            return {events: [{type: 'wu_deleted' as const, ...actorStampOf(context), id, reason}], result: undefined};
          });
        });
        const tasks = kernelTasks(context);
        if ((await tasks.find(id))?.state === 'ready') await tasks.cancel(id, reason);
      }
      return {id, path, dry_run: dryRun};
    });
  },
});

/** If another session claims it in between, the file is restored. */
async function removedWhile(context: ToolContext, path: string, record: () => Promise<void>): Promise<void> {
  const content = (await context.fs.stat(path)) === undefined ? undefined : await context.fs.readText(path);
  if (content !== undefined) await writeDoc(context, {path});
  try {
    await record();
  } catch (error) {
    if (content !== undefined) await writeDoc(context, {path, content});
    throw error;
  }
}

function checkDeletable(state: WorkUnits, id: string): void {
  const {status} = findWorkUnit(state, id);
  if (status !== 'ready') {
    throw new ToolError('WU_NOT_READY', `\`${id}\` is ${status}, but only a ready work unit can be deleted`, {
      id,
      status,
    });
  }
  const waiting = followersOf(dependencyGraph(Object.values(state.units).map(({spec}) => spec))).get(id) ?? [];
  if (waiting.length === 0) return;
  const message = `${waiting.map((each) => `\`${each}\``).join(', ')} would depend on the deleted \`${id}\`: edit them first`;
  throw new ToolError('WU_AWAITED', message, {id, waiting});
}

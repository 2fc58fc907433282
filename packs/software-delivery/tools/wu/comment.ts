// wu:comment adds a comment to a work unit. Any session can comment, also on a finished work unit.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {actorStampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inSync, type Unsynced} from '../../sync/in-sync.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuCommentInput {
  readonly id: string;
  readonly text: string;
  readonly dry_run?: boolean;
}

interface WuCommentOutput extends Unsynced {
  readonly id: string;
  /** Number of comments on it. */
  readonly comments: number;
  readonly dry_run: boolean;
}

export const wuComment: ToolDefinition<WuCommentInput, WuCommentOutput, PackConfig> = defineTool({
  async run({id, text, dry_run: dryRun = false}, context) {
    const event = {type: 'wu_commented' as const, ...actorStampOf(context), id, text};
    const comment = async (): Promise<WuCommentOutput> =>
      await openDeliveryLog(context).decide(workUnitSlice, (state) => {
        const {comments = 0} = findWorkUnit(state, id);
        return unlessDry(dryRun, {events: [event], result: {id, comments: comments + 1, dry_run: dryRun}});
      });
    return await inSync(context, dryRun, comment);
  },
});

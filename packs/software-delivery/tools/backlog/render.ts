// backlog:render renders backlog.md and status.md from the log.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {renderViews} from '../../views/render-views.ts';
import {viewSlice} from '../../views/view-slice.ts';
import {writeViews, type WrittenView} from '../../views/write-views.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface BacklogRenderInput {
  readonly dry_run?: boolean;
}

interface BacklogRenderOutput {
  readonly files: readonly WrittenView[];
  readonly dry_run: boolean;
}

export const backlogRender: ToolDefinition<BacklogRenderInput, BacklogRenderOutput, PackConfig> = defineTool({
  async run({dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const views = renderViews(await log.read(workUnitSlice), await log.read(viewSlice));
    return {files: await writeViews(context, views, dryRun), dry_run: dryRun};
  },
});

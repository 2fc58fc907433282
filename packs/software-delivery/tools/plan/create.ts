// plan:create creates a plan file with the required sections.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {writeDoc} from '../../nested-calls/write-doc.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {PackConfig} from '../../pack-config.ts';
import {writePlan, type PlanSection} from '../../plans/plan-document.ts';
import {planPath, slugOf} from '../../plans/plan-file.ts';
import {planSlice} from '../../plans/plan-slice.ts';

interface PlanCreateInput {
  readonly title: string;
  /** The file name without extension. Default: derived from the title. */
  readonly id?: string;
  readonly sections?: readonly PlanSection[];
  readonly dry_run?: boolean;
}

interface PlanCreateOutput {
  readonly id: string;
  readonly path: string;
  readonly sha256: string;
  readonly markdown: string;
  readonly dry_run: boolean;
}

export const planCreate: ToolDefinition<PlanCreateInput, PlanCreateOutput, PackConfig> = defineTool({
  async run({title, id = slugOf(title), sections = [], dry_run: dryRun = false}, context) {
    if (id === '') throw new ToolError('ID_MISSING', `cannot derive an id from \`${title}\`: pass \`id\``);
    const path = planPath(id);
    const markdown = writePlan({title, status: 'draft', links: []}, sections);
    if ((await context.fs.stat(path)) !== undefined)
      throw new ToolError('EXISTS', `\`${path}\` already exists`, {path});
    if (!dryRun) {
      await writeDoc(context, {path, content: markdown, create_only: true});
      const event = {type: 'plan_created', ...stampOf(context), id, title} as const;
      await openDeliveryLog(context).decide(planSlice, () => ({events: [event], result: undefined}));
    }
    return {id, path, sha256: await sha256Hex(markdown), markdown, dry_run: dryRun};
  },
});

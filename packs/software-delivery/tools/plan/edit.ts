// plan:edit changes one section of a plan. An approved plan becomes a draft again.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {writeDoc} from '../../nested-calls/write-doc.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {PackConfig} from '../../pack-config.ts';
import {editSection, readPlanHead, setPlanHead, type SectionMode} from '../../plans/plan-document.ts';
import {readPlanFile} from '../../plans/plan-file.ts';
import {planSlice} from '../../plans/plan-slice.ts';

interface PlanEditInput {
  readonly id: string;
  readonly section: string;
  /** Markdown; omitted for a removal. */
  readonly body?: string;
  /** Default replace. */
  readonly mode?: SectionMode;
  /** Fail if the file has a different hash. */
  readonly expect_sha256?: string;
  readonly dry_run?: boolean;
}

interface PlanEditOutput {
  readonly id: string;
  readonly path: string;
  readonly status: 'draft';
  readonly sha256: string;
  readonly markdown: string;
  readonly dry_run: boolean;
}

export const planEdit: ToolDefinition<PlanEditInput, PlanEditOutput, PackConfig> = defineTool({
  async run({id, section, body = '', mode = 'replace', expect_sha256: expected, dry_run: dryRun = false}, context) {
    const {path, text} = await readPlanFile(context.fs, id, expected);
    const edited = editSection(text, {heading: section, body}, mode);
    const markdown = readPlanHead(edited).status === 'draft' ? edited : setPlanHead(edited, {status: 'draft'});
    const sha256 = await sha256Hex(markdown);
    if (!dryRun) {
      await writeDoc(context, {path, content: markdown});
      const event = {type: 'plan_edited', ...stampOf(context), id, section} as const;
      await openDeliveryLog(context).decide(planSlice, () => ({events: [event], result: undefined}));
    }
    return {id, path, status: 'draft', sha256, markdown, dry_run: dryRun};
  },
});

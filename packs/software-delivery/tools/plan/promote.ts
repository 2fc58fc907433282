// plan:promote turns a draft into the approved plan after a person's approval.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {writeDoc} from '../../nested-calls/write-doc.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {PackConfig} from '../../pack-config.ts';
import {approvedText, emptySections, setPlanHead} from '../../plans/plan-document.ts';
import {readPlanFile} from '../../plans/plan-file.ts';
import {planSlice} from '../../plans/plan-slice.ts';

interface PlanPromoteInput {
  readonly id: string;
  /** SHA-256 of the draft that was read. An approval covers exactly these bytes. */
  readonly expect_sha256: string;
  readonly dry_run?: boolean;
}

interface PlanPromoteOutput {
  readonly id: string;
  readonly path: string;
  readonly status: 'approved';
  /** SHA-256 of the current file. */
  readonly sha256: string;
  readonly dry_run: boolean;
}

export const planPromote: ToolDefinition<PlanPromoteInput, PlanPromoteOutput, PackConfig> = defineTool({
  async run({id, expect_sha256: expected, dry_run: dryRun = false}, context) {
    const {path, text} = await readPlanFile(context.fs, id, expected);
    const empty = emptySections(text);
    if (empty.length > 0) {
      const named = empty.map((heading) => `\`${heading}\``).join(', ');
      throw new ToolError('PLAN_INCOMPLETE', `the plan has no text under ${named}`, {id, sections: empty});
    }
    const markdown = setPlanHead(text, {status: 'approved'});
    if (!dryRun) {
      await writeDoc(context, {path, content: markdown});
      const approved = {approved_sha256: await sha256Hex(approvedText(markdown))};
      const event = {type: 'plan_promoted', ...stampOf(context), id, ...approved} as const;
      await openDeliveryLog(context).decide(planSlice, () => ({events: [event], result: undefined}));
    }
    return {id, path, status: 'approved', sha256: await sha256Hex(markdown), dry_run: dryRun};
  },
});

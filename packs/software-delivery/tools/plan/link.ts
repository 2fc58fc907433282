// plan:link links a plan to work units and initiatives.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {writeDoc} from '../../nested-calls/write-doc.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {PackConfig} from '../../pack-config.ts';
import {readPlanHead, setPlanHead} from '../../plans/plan-document.ts';
import {readPlanFile} from '../../plans/plan-file.ts';
import {planSlice} from '../../plans/plan-slice.ts';
import {initiativeSlice} from '../../initiatives/initiative-slice.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface PlanLinkInput {
  readonly id: string;
  /** A work unit or an initiative. */
  readonly to: string;
  /** Remove the link. */
  readonly remove?: boolean;
  readonly dry_run?: boolean;
}

interface PlanLinkOutput {
  readonly id: string;
  readonly path: string;
  readonly links: readonly string[];
  readonly sha256: string;
  readonly dry_run: boolean;
}

export const planLink: ToolDefinition<PlanLinkInput, PlanLinkOutput, PackConfig> = defineTool({
  async run({id, to, remove = false, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const {path, text} = await readPlanFile(context.fs, id);
    const {links: linked} = readPlanHead(text);
    if (remove === !linked.includes(to)) {
      const message = remove ? `the plan is not linked to \`${to}\`` : `the plan is already linked to \`${to}\``;
      throw new ToolError(remove ? 'NOT_LINKED' : 'LINKED', message, {id, links: linked});
    }
    const known = {...(await log.read(workUnitSlice)).units, ...(await log.read(initiativeSlice)).initiatives};
    if (!remove && !Object.hasOwn(known, to)) {
      throw new ToolError('LINK_TARGET_NOT_FOUND', `there is no work unit or initiative \`${to}\``, {to});
    }
    const links = remove ? linked.filter((link) => link !== to) : [...linked, to];
    const markdown = setPlanHead(text, {links});
    const sha256 = await sha256Hex(markdown);
    if (!dryRun) {
      await writeDoc(context, {path, content: markdown});
      const event = {type: 'plan_linked', ...stampOf(context), id, links} as const;
      await log.decide(planSlice, () => ({events: [event], result: undefined}));
    }
    return {id, path, links, sha256, dry_run: dryRun};
  },
});

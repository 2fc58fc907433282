// wu:brief returns the brief of a work unit, with the hashes of its spec and of the brief.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {renderBrief} from '../../briefs/render-brief.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {actorStampOf} from '../../events/delivery-event.ts';
import {planGates} from '../../gates/plan-gates.ts';
import type {PackConfig} from '../../pack-config.ts';
import {findWorkUnit} from '../../work-units/find-work-unit.ts';
import {readSoundSpec} from '../../work-units/spec-files.ts';
import {specHash} from '../../work-units/spec-hash.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface WuBriefInput {
  readonly id: string;
  /** Default true. */
  readonly with_memory?: boolean;
  readonly dry_run?: boolean;
}

interface WuBriefOutput {
  readonly id: string;
  /** Markdown. */
  readonly prompt: string;
  /** SHA-256 of the spec file. */
  readonly spec_hash: string;
  /** SHA-256 of the prompt. */
  readonly prompt_hash: string;
  readonly dry_run: boolean;
}

export const wuBrief: ToolDefinition<WuBriefInput, WuBriefOutput, PackConfig> = defineTool({
  async run({id, with_memory: withMemory = true, dry_run: dryRun = false}, context) {
    const log = openDeliveryLog(context);
    const unit = findWorkUnit(await log.read(workUnitSlice), id);
    const {spec, hash} = await readSoundSpec(context, id);
    const remembered = withMemory ? await context.callTool('mem:context', {wu_id: id}) : undefined;
    const memory = remembered?.success === true ? (remembered.data as {readonly markdown: string}).markdown : '';
    const gates = planGates(context.config);
    const prompt = renderBrief({spec, unit, gates, ...(memory !== '' && {memory})});
    const hashes = {spec_hash: hash, prompt_hash: specHash(prompt)};
    if (!dryRun) {
      const event = {type: 'wu_briefed' as const, ...actorStampOf(context), id, ...hashes};
      await log.decide(workUnitSlice, () => ({events: [event], result: undefined}));
    }
    return {id, prompt, ...hashes, dry_run: dryRun};
  },
});

// mem:recover returns the page for an agent that takes over a WU.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {collectContext} from '../../memory/collect-context.ts';
import {byteLength} from '../../markdown/fit-markdown.ts';
import {readGitProgress} from '../../memory/git-progress.ts';
import {lastCheckpoint} from '../../memory/memory-sections.ts';
import {recoveryBytesMax, renderRecovery} from '../../memory/render-recovery.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';
import {readAcceptance} from '../../memory/read-acceptance.ts';

interface MemoryRecoverInput {
  readonly wu_id?: string;
  /** Default and maximum 8192. */
  readonly max_bytes?: number;
}

interface MemoryRecoverOutput {
  readonly wu_id: string;
  readonly markdown: string;
  readonly bytes: number;
  /** Null if there is none. */
  readonly checkpoint_id: string | null;
}

export const memoryRecover: ToolDefinition<MemoryRecoverInput, MemoryRecoverOutput, PackConfig> = defineTool({
  async run(input, context) {
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    if (unit === undefined) throw new ToolError('WU_MISSING', 'pass the WU to take over as `wu_id`');
    const wuId = unit.spec.id;
    const {view, inbox} = await collectContext(log, {unit, session_id: context.session_id});
    const acceptance = await readAcceptance(context, wuId);
    const progress = await readGitProgress(context, unit);
    const markdown = renderRecovery({view, unit, acceptance, progress, inbox}, input.max_bytes ?? recoveryBytesMax);
    return {
      wu_id: wuId,
      markdown,
      bytes: byteLength(markdown),
      checkpoint_id: lastCheckpoint(view, wuId)?.id ?? null,
    };
  },
});

// mem:context returns the context page of a session.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {collectContext} from '../../memory/collect-context.ts';
import {byteLength} from '../../markdown/fit-markdown.ts';
import {contextBytesMax, renderContext} from '../../memory/render-context.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryContextInput {
  readonly wu_id?: string;
  /** Default and maximum 4096. */
  readonly max_bytes?: number;
}

interface MemoryContextOutput {
  readonly wu_id: string | null;
  readonly markdown: string;
  readonly bytes: number;
}

export const memoryContext: ToolDefinition<MemoryContextInput, MemoryContextOutput, PackConfig> = defineTool({
  async run(input, context) {
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const facts = await collectContext(log, {unit, session_id: context.session_id});
    const markdown = renderContext(facts, input.max_bytes ?? contextBytesMax);
    return {wu_id: unit?.spec.id ?? null, markdown, bytes: byteLength(markdown)};
  },
});

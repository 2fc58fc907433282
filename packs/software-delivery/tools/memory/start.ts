// mem:start starts a session's memory on a WU, and returns what is known.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {collectContext} from '../../memory/collect-context.ts';
import {openMemory} from '../../memory/memory.ts';
import type {MemoryNode} from '../../memory/memory-node.ts';
import {eventsOfNode, newNode} from '../../memory/new-node.ts';
import {contextBytesMax, renderContext} from '../../memory/render-context.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryStartInput {
  readonly wu_id?: string;
  /** The session's goal. */
  readonly goal: string;
  readonly dry_run?: boolean;
}

interface MemoryStartOutput {
  readonly node: MemoryNode;
  /** The session had already started on the WU, so nothing was added. */
  readonly resumed: boolean;
  /** The output of mem:context. */
  readonly context: string;
  readonly dry_run: boolean;
}

export const memoryStart: ToolDefinition<MemoryStartInput, MemoryStartOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {goal, dry_run: dryRun = false} = input;
    const {session_id: sessionId} = context;
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const wuId = unit?.spec.id;
    const page = renderContext(await collectContext(log, {unit, session_id: sessionId}), contextBytesMax);
    const about = {content: goal, type: 'session', lifecycle: 'session', wu_id: wuId} as const;
    const node = newNode(about, {uuid: crypto.randomUUID(), session_id: sessionId});
    const stamp = stampOf(context);
    return await openMemory(log).decide({wu: wuId}, ({nodes}) => {
      const begun = Object.values(nodes).find(
        ({type, session_id: speaker, wu_id: of, closed}) =>
          type === 'session' && speaker === sessionId && of === wuId && closed === undefined,
      );
      return {
        events: dryRun || begun !== undefined ? [] : eventsOfNode(node, [], stamp),
        result: {
          node: begun ?? {...node, created_at: stamp.at, created_by: stamp.by},
          resumed: begun !== undefined,
          context: page,
          dry_run: dryRun,
        },
      };
    });
  },
});

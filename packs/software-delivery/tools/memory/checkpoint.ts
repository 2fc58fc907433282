// mem:checkpoint records the state of the work for the agent that continues it.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {readGitProgress, type GitProgress} from '../../memory/git-progress.ts';
import {openMemory} from '../../memory/memory.ts';
import type {MemoryNode, Metadata} from '../../memory/memory-node.ts';
import {eventsOfNode, newNode} from '../../memory/new-node.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';

interface MemoryCheckpointInput {
  /** What is done, what you learned, and what blocks the work. */
  readonly content: string;
  readonly next_steps?: readonly string[];
  readonly wu_id?: string;
  readonly tags?: readonly string[];
  readonly dry_run?: boolean;
}

interface MemoryCheckpointOutput {
  readonly node: MemoryNode;
  readonly dry_run: boolean;
}

export const memoryCheckpoint: ToolDefinition<MemoryCheckpointInput, MemoryCheckpointOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {content, next_steps: steps = [], tags = [], dry_run: dryRun = false} = input;
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const wuId = unit?.spec.id;
    const metadata = {next_steps: steps, ...gitFacts(await readGitProgress(context, unit))};
    const node = newNode(
      {content, type: 'checkpoint', wu_id: wuId, tags, metadata},
      {uuid: crypto.randomUUID(), session_id: context.session_id},
    );
    const stamp = stampOf(context);
    return await openMemory(log).decide({wu: wuId}, () => ({
      events: dryRun ? [] : eventsOfNode(node, [], stamp),
      result: {node: {...node, created_at: stamp.at, created_by: stamp.by}, dry_run: dryRun},
    }));
  },
});

/** A checkpoint is useful without git, too. */
function gitFacts(progress: GitProgress | string): Metadata {
  if (typeof progress === 'string') return {git: progress.slice(0, 500)};
  const {branch, head, diff_stat: stat, untracked} = progress;
  return {branch, head, changed: stat.split('\n').at(-1)?.trim() ?? '', untracked: untracked.length};
}

// wu:push-ref: called by tools that publish a branch or the log.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {pushRef, type RefPush} from '../../git/push-ref.ts';
import type {PackConfig} from '../../pack-config.ts';

interface PushRefOutput {
  /** False if the ref has another commit than expected. */
  readonly pushed: boolean;
}

export const wuPushRef: ToolDefinition<RefPush, PushRefOutput, PackConfig> = defineTool({
  run: async (push, context) => ({pushed: await pushRef(context, push)}),
});

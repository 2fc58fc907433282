// wu:push-batch: publishes events in the shared log. Called by wu:sync-log.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findIdentity, identityEnvironment} from '../../git/commit-identity.ts';
import {pushRef} from '../../git/push-ref.ts';
import type {PackConfig} from '../../pack-config.ts';
import {sharedRef, writeBatch, type PushedBatch} from '../../sync/shared-log.ts';

interface PushBatchInput {
  readonly remote: string;
  readonly parent: string | null;
  /** JSON Lines. */
  readonly text: string;
}

export const wuPushBatch: ToolDefinition<PushBatchInput, PushedBatch, PackConfig> = defineTool({
  async run({remote, parent, text}, context) {
    const env = identityEnvironment(await findIdentity(context));
    const commit = await writeBatch(context, {parent, text, env});
    return {pushed: await pushRef(context, {remote, commit, ref: sharedRef, expect: parent}), commit};
  },
});

// wu:write-batch: writes events as a commit for the shared log. Called by tools that synchronize.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findIdentity, identityEnvironment} from '../../git/commit-identity.ts';
import type {PackConfig} from '../../pack-config.ts';
import {writeBatch} from '../../sync/shared-log.ts';

interface WriteBatchInput {
  readonly parent: string | null;
  /** JSON Lines. */
  readonly text: string;
}

export const wuWriteBatch: ToolDefinition<WriteBatchInput, {readonly commit: string}, PackConfig> = defineTool({
  async run({parent, text}, context) {
    const env = identityEnvironment(await findIdentity(context));
    return {commit: await writeBatch(context, {parent, text, env})};
  },
});

// wu:fetch-ref: called by tools that read a remote's branch or log.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {fetchRef, type RefFetch} from '../../git/fetch-ref.ts';
import type {PackConfig} from '../../pack-config.ts';

interface FetchRefOutput {
  /** Null if the remote has no such ref. */
  readonly commit: string | null;
}

export const wuFetchRef: ToolDefinition<RefFetch, FetchRefOutput, PackConfig> = defineTool({
  run: async (fetch, context) => ({commit: await fetchRef(context, fetch)}),
});

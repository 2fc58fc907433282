// docs:write writes one file under docs/, for tools that record it in the log afterwards.
import {defineTool, isToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {DocWrite} from '../../nested-calls/write-doc.ts';

export const docsWrite: ToolDefinition<DocWrite, object> = defineTool({
  async run({path, content, create_only: exclusive = false}, {fs}) {
    if (content !== undefined) await fs.write(path, content, {exclusive});
    else await fs.remove(path).catch(passOverMissing);
    return {};
  },
});

function passOverMissing(error: unknown): void {
  if (!isToolError(error) || error.code !== 'NOT_FOUND') throw error;
}

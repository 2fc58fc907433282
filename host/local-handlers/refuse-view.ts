// A function of this process works on the workspace itself. Calls whose changes are checked before they are applied cannot use it.
import type {DispatchRequest} from '@lumenflow/kernel';
import type {ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from '../pool/index.ts';
import {isLocalTool} from './is-local-tool.ts';

/** Undefined if the call may run: it works directly, or touches no files. */
export function refuseView({writes, tool, scope_enforced: {read, write}}: DispatchRequest): ToolOutput | undefined {
  if (writes === 'direct' || !isLocalTool(tool) || read.length + write.length === 0) return undefined;
  const message = `\`${tool.name}\` runs in the host's process, so its changes cannot be checked before they are applied`;
  const remedy = `list \`${tool.name}\` in \`security.direct_writes\`, and do not call it from a tool whose changes are checked`;
  return failedOutput('SANDBOX_UNAVAILABLE', message, {remedy});
}

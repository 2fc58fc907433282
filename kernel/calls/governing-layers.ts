// Whose rules decide about a call: workspace, lane, pack and task.
import type {Kernel} from '../context/kernel.ts';
import {isBuiltinTool} from '../builtin-tools/run-builtin-tool.ts';
import type {PolicyLayers} from '../policy/index.ts';
import {policyStack} from '../workspace/policy-stack.ts';
import type {FoundCall} from './call.ts';

/** The layers that decide about a call. A kernel tool is governed by the pack that called it. */
export function governingLayers(kernel: Kernel, {tool, task, lane, request: {parent}}: FoundCall): PolicyLayers {
  const pack = parent !== undefined && isBuiltinTool(tool) ? parent.pack : tool.pack;
  return policyStack(kernel.workspace, lane, task, pack);
}

// Where a call is answered: by the kernel itself, or wherever the dispatcher runs the tool's handler.
import type {ExecutionMode} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import {isBuiltinTool} from '../builtin-tools/run-builtin-tool.ts';
import type {NarrowedCall} from './call.ts';
import {callWrites} from './call-writes.ts';

export type CallHome = Exclude<ExecutionMode, 'none'>;

export function executionMode(kernel: Kernel, call: NarrowedCall): CallHome {
  return isBuiltinTool(call.tool) ? 'kernel' : kernel.ports.dispatcher.modeOf(call.tool, callWrites(kernel, call));
}

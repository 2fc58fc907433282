// Runs one export of a module in a fresh instance, and returns the value that it wrote as its output.
import {ToolError} from '@lumenflow/pack-sdk/invoke';
import {GuestEnding, GuestExit, GuestFault} from './guest-end.ts';
import type {GuestCall} from './guest-call.ts';
import {GuestMemory} from './guest-memory.ts';
import {hostImports} from './host-imports.ts';
import {OpenFiles} from './open-files.ts';
import {WebAssembly, type WasmModule} from './web-assembly.ts';

/** The call ended for want of memory. */
export class OutOfMemory extends Error {}

/** Throws ToolError, or OutOfMemory. */
export function runModule(module: WasmModule, entry: string, call: GuestCall): unknown {
  const ending = new GuestEnding();
  const files = new OpenFiles(call);
  let end: unknown;
  try {
    enter(module, entry, {call, ending, files});
  } catch (error) {
    end = error;
  }
  call.noteMemory();
  // A module that caught its end returns as if nothing had happened.
  end = ending.end ?? end;
  if (end !== undefined && !(end instanceof GuestExit && end.code === 0)) throw failureOf(end, call);
  try {
    files.flush();
  } catch (error) {
    throw failureOf(error, call);
  }
  return outputOf(call);
}

interface Guest {
  readonly call: GuestCall;
  readonly ending: GuestEnding;
  readonly files: OpenFiles;
}

function enter(module: WasmModule, entry: string, {call, ending, files}: Guest): void {
  const {exports} = new WebAssembly.Instance(module, hostImports(module, {call, ending, files}));
  const {memory} = exports;
  if (!(memory instanceof WebAssembly.Memory)) throw new GuestFault('it exports no memory of the name `memory`');
  call.memory = new GuestMemory(memory);
  const {[entry]: start, _initialize: initialize} = exports;
  if (typeof start !== 'function') throw new GuestFault(`it exports no function \`${entry}\``);
  if (entry !== '_start' && typeof initialize === 'function') initialize();
  const result: unknown = start();
  if (typeof result === 'number' && result !== 0) throw new GuestExit(result);
}

function outputOf({output, failure}: GuestCall): unknown {
  if (failure !== undefined) throw new ToolError(failure.code, failure.message);
  if (output === undefined) return undefined;
  try {
    return JSON.parse(output);
  } catch (error) {
    throw new ToolError('INVALID_OUTPUT', `the output is not JSON: ${String(error)}`);
  }
}

function failureOf(end: unknown, call: GuestCall): Error {
  const {failure, invocation} = call;
  if (failure !== undefined && !(end instanceof GuestFault)) return new ToolError(failure.code, failure.message);
  if (end instanceof ToolError) return end;
  if (!(end instanceof GuestFault) && call.isMemoryFull) return new OutOfMemory(String(end));
  const tool = `\`${invocation.tool_name}\``;
  if (end instanceof GuestExit) {
    const message = `${tool} ended with exit code ${end.code} before it returned a result`;
    return new ToolError('TOOL_CRASHED', message, {exit_code: end.code});
  }
  const {message, stack} = end instanceof Error ? end : {message: String(end), stack: undefined};
  const why = end instanceof GuestFault ? `broke the rules of its host: ${message}` : `was stopped: ${message}`;
  return new ToolError('TOOL_CRASHED', `${tool} ${why}`, stack === undefined ? {} : {stack: guestFrames(stack)});
}

/** Frames of the module, without those of its host. */
function guestFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => line.includes('wasm://'))
    .slice(0, 30)
    .join('\n');
}

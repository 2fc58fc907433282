// The functions of the module `lumenflow` that a WebAssembly module can import: pack-sdk/wasm/lumenflow.h declares them, and
// docs/wasm.md describes them.
import type {LogLevel} from '@lumenflow/schemas';
import type {GuestCall} from './guest-call.ts';
import {GuestFault} from './guest-end.ts';
import {textBytesMax, toUnsigned, type FromGuest} from './guest-memory.ts';

export type HostFunctions = Readonly<Record<string, (...given: readonly FromGuest[]) => number | bigint | void>>;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
/** Of all log messages of a call. */
const logCharsMax = 1024 * 1024;

export function lumenflowImports(call: GuestCall): HostFunctions {
  let answer: Uint8Array = new Uint8Array();
  let logLeft = logCharsMax;
  const answered = (value: unknown): number => {
    answer = Buffer.from(JSON.stringify(value ?? null));
    return answer.length;
  };
  return {
    input_size: () => call.input.length,
    input_read: (pointer) => call.memory.write(pointer, call.input),
    output_write(pointer, length) {
      if (call.memory.bytes(pointer, length).length <= textBytesMax) call.output = call.memory.text(pointer, length);
      else call.failure = {code: 'LIMIT_EXCEEDED', message: `the output has more than ${textBytesMax} bytes`};
    },
    fail(code, codeLength, message, messageLength) {
      call.failure = {code: call.memory.text(code, codeLength), message: call.memory.text(message, messageLength)};
    },
    context_size: () => answered(contextOf(call)),
    call_tool(name, nameLength, input, inputLength) {
      const params = {
        name: call.memory.text(name, nameLength),
        input: jsonOf(call.memory.text(input, inputLength), 'call_tool'),
      };
      const {value, error} = call.request('call_tool', params);
      return answered(error === undefined ? value : {success: false, error});
    },
    answer_read: (pointer) => call.memory.write(pointer, answer),
    progress(pointer, length) {
      call.send({type: 'progress', payload: jsonOf(call.memory.text(pointer, length), 'progress')});
    },
    log(level, pointer, length) {
      const name = levels[toUnsigned(level)];
      if (name === undefined) throw new GuestFault('it passed an unknown level to `log`: use 0 to 3');
      const {length: size} = call.memory.bytes(pointer, length);
      const message = call.memory.text(pointer, Math.min(size, logLeft));
      logLeft -= message.length;
      if (message !== '') call.send({type: 'log', level: name, message});
    },
    is_cancelled: () => (call.isCancelled() ? 1 : 0),
  };
}

function contextOf({invocation}: GuestCall): Record<string, unknown> {
  const {tool_name, task_id, run_id, session_id, receipt_id, lane_id, workspace_root, config, deadline} = invocation;
  const {scope_enforced: granted_scopes} = invocation;
  return {
    tool_name,
    task_id,
    run_id,
    session_id,
    receipt_id,
    lane_id,
    workspace_root,
    granted_scopes,
    config,
    ...(deadline !== undefined && {deadline}),
  };
}

function jsonOf(text: string, callee: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GuestFault(`it passed text that is not JSON to \`${callee}\`: ${String(error)}`);
  }
}

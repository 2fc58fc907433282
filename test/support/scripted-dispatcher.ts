// A dispatcher that runs the functions it is given: what a pool or a sandbox does with a call, as far as the kernel sees.
import type {DispatchOutcome, Dispatcher, DispatchRequest} from '@lumenflow/kernel';

export type Script = (request: DispatchRequest) => DispatchOutcome | Promise<DispatchOutcome>;

export interface ScriptedDispatcher extends Dispatcher {
  /** All that was dispatched, in order. */
  readonly requests: readonly DispatchRequest[];
  readonly isClosed: boolean;
}

/** By tool name; a tool without a script gives its input back. */
export function createScriptedDispatcher(scripts: Readonly<Record<string, Script>> = {}): ScriptedDispatcher {
  const requests: DispatchRequest[] = [];
  const echo: Script = ({input}) => ({output: {success: true, data: input}});
  let closed = false;
  return {
    requests,
    get isClosed() {
      return closed;
    },
    modeOf: (tool) => (tool.declaration.handler === 'in_process' ? 'pool' : 'sandbox'),
    async dispatch(request) {
      requests.push(request);
      try {
        return await (scripts[request.tool.name] ?? echo)(request);
      } catch (error) {
        return {output: {success: false, error: {code: 'TOOL_EXECUTION_FAILED', message: String(error)}}};
      }
    },
    async close() {
      closed = true;
    },
  };
}

// What a call's sandbox must know if its server lasts longer than the call.
import type {DispatchRequest} from '@lumenflow/kernel';
import type {LastingRequest} from '@lumenflow/sandbox';
import {spanOf} from '../sessions/end-spans.ts';
import {serverEnded} from '../upstream-mcp/index.ts';

const idleMsDefault = 600_000;

export function lastingRequest(
  request: Pick<DispatchRequest, 'tool' | 'session_id' | 'run_id'>,
): LastingRequest | undefined {
  const {pin, integrity} = request.tool.pack;
  const span = spanOf(pin.lifetime ?? 'call', request);
  return (
    span && {
      span,
      programHash: integrity,
      idleMs: pin.idle_ms ?? idleMsDefault,
      survives: (output) => !serverEnded(output),
    }
  );
}

// Sends a handler's progress and log lines on the stream of its request. Progress needs a token from the client; log lines
// need the client's log level.
import type {ServerContext} from '@modelcontextprotocol/server';
import type {CallOptions} from '../sessions/open-session.ts';
import {createProgress} from './progress-params.ts';

export interface Reports extends Pick<CallOptions, 'onProgress' | 'onLog'> {
  /** Resolves once all messages were sent: a client stops listening after the result. */
  sent(): Promise<unknown>;
}

export function reportTo({mcpReq}: ServerContext): Reports {
  const {_meta: meta} = mcpReq;
  const progressToken = meta?.progressToken;
  const next = createProgress();
  const reports: Promise<void>[] = [];
  return {
    ...(progressToken !== undefined && {
      onProgress(payload) {
        const params = {progressToken, ...next(payload)};
        reports.push(mcpReq.notify({method: 'notifications/progress', params}));
      },
    }),
    onLog({level, message, fields}) {
      // Printed output is not sent to the client.
      if (fields?.['stream'] !== undefined) return;
      const data = fields === undefined ? message : {message, ...fields};
      reports.push(mcpReq.log(level === 'warn' ? 'warning' : level, data));
    },
    // A disconnected client misses the messages; the call's own signal notifies the handler.
    sent: () => Promise.allSettled(reports),
  };
}

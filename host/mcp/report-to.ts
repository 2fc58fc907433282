// Sends a handler's progress and log lines on the stream of its request. Progress needs a token from the client; log lines
// need the client's log level.
import type {ServerContext} from '@modelcontextprotocol/server';
import type {CallOptions} from '../sessions/open-session.ts';
import {createProgress} from './progress-params.ts';

export interface Reports extends Pick<CallOptions, 'onProgress' | 'onLog'> {
  /** Once all of them are on their way: a client stops listening with the result. */
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
      // What it printed is not addressed to anybody.
      if (fields?.['stream'] !== undefined) return;
      const data = fields === undefined ? message : {message, ...fields};
      reports.push(mcpReq.log(level === 'warn' ? 'warning' : level, data));
    },
    // A client that is gone misses them; the call's own signal tells the handler.
    sent: () => Promise.allSettled(reports),
  };
}

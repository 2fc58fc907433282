// The log of a server as JSON Lines: what happens to it, and its calls. It contains neither secrets nor inputs and outputs of calls.
import {decisionOfCall} from '../receipts/decision-of-call.ts';
import type {ObservedCall} from './calls/observe-calls.ts';

export type LogLevel = 'info' | 'warn' | 'error';

export interface ServerLog {
  write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  call(call: ObservedCall): void;
}

export function createServerLog(write: (line: string) => void, now: () => number): ServerLog {
  const log: ServerLog = {
    write(level, message, fields = {}) {
      write(`${JSON.stringify({time: new Date(now()).toISOString(), level, message, ...fields})}\n`);
    },
    call({started, finished, trace}) {
      const decision = decisionOfCall(finished);
      const isExpected = decision === 'allow' && finished.result !== 'crashed';
      log.write(isExpected ? 'info' : 'warn', 'call', {
        tool: started.tool_name,
        decision,
        result: finished.result,
        code: finished.error_code,
        duration_ms: finished.duration_ms,
        receipt_id: started.receipt_id,
        by: started.by,
        surface: started.surface,
        lane: started.lane_id,
        task_id: started.task_id,
        trace_id: trace?.traceId,
      });
    },
  };
  return log;
}

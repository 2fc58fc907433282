// Pairs the records of this process: a call is reported once its end is recorded.
import type {RecordObserver} from '@lumenflow/kernel/node';
import type {NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {trace} from '@opentelemetry/api';

type StartedRecord = Extract<NewEvidenceRecord, {type: 'tool_call_started'}>;
type FinishedRecord = Extract<NewEvidenceRecord, {type: 'tool_call_finished'}>;

export interface ObservedCall {
  readonly started: StartedRecord;
  readonly finished: FinishedRecord;
  /** The trace that the call belongs to, if it is traced. */
  readonly trace?: {readonly traceId: string; readonly spanId: string};
}

export function observeCalls(report: (call: ObservedCall) => void): RecordObserver {
  const open = new Map<string, StartedRecord>();
  return ({records}) => {
    for (const record of records) {
      if (record.type === 'tool_call_started') open.set(record.receipt_id, record);
      if (record.type !== 'tool_call_finished') continue;
      const started = open.get(record.receipt_id);
      open.delete(record.receipt_id);
      // Without a start, another process made the call and ended before it.
      if (started === undefined) continue;
      const span = trace.getActiveSpan()?.spanContext();
      report({started, finished: record, ...(span && {trace: {traceId: span.traceId, spanId: span.spanId}})});
    }
  };
}

// A call as a log record of OTLP, whose body is its event.
import {otlpAttributes, otlpTime, otlpValue} from '../otlp/otlp-value.ts';
import type {CallEvent} from './call-event.ts';
import type {ObservedCall} from './observe-calls.ts';

/** By the severity of the event. */
const severities: Readonly<Record<number, readonly [number: number, text: string]>> = {
  1: [9, 'INFO'],
  2: [13, 'WARN'],
  3: [17, 'ERROR'],
};

export function callLogRecord({started, finished, trace}: ObservedCall, event: CallEvent): object {
  const [severityNumber, severityText] = severities[event.severity_id] ?? [9, 'INFO'];
  return {
    timeUnixNano: otlpTime(Date.parse(finished.timestamp)),
    observedTimeUnixNano: otlpTime(Date.now()),
    severityNumber,
    severityText,
    eventName: 'lumenflow.call',
    body: otlpValue(event),
    attributes: otlpAttributes({
      'gen_ai.tool.name': started.tool_name,
      'lumenflow.receipt_id': started.receipt_id,
      'lumenflow.result': finished.result,
      'error.type': finished.error_code,
    }),
    ...trace,
  };
}

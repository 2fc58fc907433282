// A span that is recorded, as OpenTelemetry's API demands it, and its encoding for OTLP.
import {
  SpanStatusCode,
  type Attributes,
  type Span,
  type SpanContext,
  type SpanKind,
  type TimeInput,
} from '@opentelemetry/api';
import {otlpAttributes, otlpTime} from './otlp-value.ts';

/** In the JSON encoding of OTLP. */
export type FinishedSpan = object;

export interface SpanStart {
  readonly name: string;
  readonly spanContext: SpanContext;
  readonly parentSpanId: string | undefined;
  readonly kind: SpanKind;
  readonly startTime: TimeInput | undefined;
  readonly attributes: Attributes;
  onEnd(span: FinishedSpan): void;
}

export function createRecordedSpan(start: SpanStart): Span {
  const startMs = msOf(start.startTime);
  const attributes: Record<string, unknown> = {...start.attributes};
  const events: object[] = [];
  const links: object[] = [];
  let {name} = start;
  let status: object = {};
  let isEnded = false;
  const span: Span = {
    spanContext: () => start.spanContext,
    setAttribute(key, value) {
      attributes[key] = value;
      return span;
    },
    setAttributes(more) {
      Object.assign(attributes, more);
      return span;
    },
    addEvent(eventName, given, time) {
      events.push(isTime(given) ? encodeEvent(eventName, {}, given) : encodeEvent(eventName, given, time));
      return span;
    },
    addLink({context: {traceId, spanId}, attributes: details = {}}) {
      links.push({traceId, spanId, attributes: otlpAttributes(details)});
      return span;
    },
    addLinks(more) {
      for (const link of more) span.addLink(link);
      return span;
    },
    setStatus({code, message}) {
      if (code !== SpanStatusCode.UNSET) status = {code, ...(message !== undefined && {message})};
      return span;
    },
    updateName(next) {
      name = next;
      return span;
    },
    recordException(error) {
      // A message can repeat what only the evidence may contain.
      span.addEvent('exception', {'exception.type': (typeof error === 'object' && error.name) || 'Error'});
    },
    isRecording: () => !isEnded,
    end(time) {
      if (isEnded) return;
      isEnded = true;
      const endMs = Math.max(msOf(time), startMs);
      start.onEnd({
        ...encodeStart(start),
        name,
        ...timesOf(startMs, endMs),
        attributes: otlpAttributes(attributes),
        events,
        links,
        status,
      });
    },
  };
  return span;
}

function encodeStart({spanContext, parentSpanId, kind}: SpanStart): object {
  return {
    traceId: spanContext.traceId,
    spanId: spanContext.spanId,
    ...(parentSpanId !== undefined && {parentSpanId}),
    flags: spanContext.traceFlags,
    // The API counts kinds from 0, the protocol from 1.
    kind: kind + 1,
  };
}

function encodeEvent(name: string, details: Attributes = {}, time?: TimeInput): object {
  return {name, timeUnixNano: otlpTime(msOf(time)), attributes: otlpAttributes(details)};
}

function timesOf(startMs: number, endMs: number): object {
  return {startTimeUnixNano: otlpTime(startMs), endTimeUnixNano: otlpTime(endMs)};
}

function isTime(value: Attributes | TimeInput | undefined): value is TimeInput {
  return typeof value === 'number' || value instanceof Date || Array.isArray(value);
}

/** Milliseconds since the epoch. The API accepts these, a date, or seconds and nanoseconds; default now. */
function msOf(time: TimeInput | undefined): number {
  if (time === undefined) return performance.timeOrigin + performance.now();
  if (typeof time === 'number') return time;
  return time instanceof Date ? time.getTime() : time[0] * 1_000 + time[1] / 1_000_000;
}

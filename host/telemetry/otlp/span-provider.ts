// A small provider of OpenTelemetry spans, for hosts that no SDK observes. Spans go to the exporter when they end.
import {
  isSpanContextValid,
  SpanKind,
  trace,
  TraceFlags,
  context as contexts,
  type Context,
  type Span,
  type SpanOptions,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import {randomBytes} from 'node:crypto';
import {createRecordedSpan, type FinishedSpan} from './recorded-span.ts';

export function createSpanProvider(onEnd: (span: FinishedSpan) => void): TracerProvider {
  function startSpan(name: string, options: SpanOptions = {}, from: Context = contexts.active()): Span {
    const parent = options.root === true ? undefined : trace.getSpanContext(from);
    const isChild = parent !== undefined && isSpanContextValid(parent);
    const traceFlags = isChild ? parent.traceFlags : TraceFlags.SAMPLED;
    const spanContext = {
      traceId: isChild ? parent.traceId : randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags,
      ...(isChild && parent.traceState !== undefined && {traceState: parent.traceState}),
    };
    // The caller decided not to record this trace.
    if ((traceFlags & TraceFlags.SAMPLED) === 0) return trace.wrapSpanContext(spanContext);
    return createRecordedSpan({
      name,
      spanContext,
      parentSpanId: isChild ? parent.spanId : undefined,
      kind: options.kind ?? SpanKind.INTERNAL,
      startTime: options.startTime,
      attributes: options.attributes ?? {},
      onEnd,
    });
  }

  function startActiveSpan(name: string, ...rest: readonly unknown[]): unknown {
    const act = rest.at(-1) as (span: Span) => unknown;
    const options = rest.length > 1 ? (rest[0] as SpanOptions) : {};
    const from = rest.length > 2 ? (rest[1] as Context) : contexts.active();
    const span = startSpan(name, options, from);
    return contexts.with(trace.setSpan(from, span), () => act(span));
  }

  const tracer: Tracer = {startSpan, startActiveSpan};
  return {getTracer: () => tracer};
}

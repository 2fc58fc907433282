// The header `traceparent` of W3C Trace Context: the trace that a request belongs to.
import {isSpanContextValid, ROOT_CONTEXT, trace, type Context} from '@opentelemetry/api';

const pattern =
  /^(?!ff)[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/u;

/** Undefined for a missing or invalid header, which the specification says to ignore. */
export function contextOfTraceParent(header: string | undefined): Context | undefined {
  const groups = pattern.exec(header?.trim() ?? '')?.groups;
  if (groups === undefined) return undefined;
  const {traceId = '', spanId = '', flags = '', more} = groups;
  if (header?.startsWith('00') === true && more !== undefined) return undefined;
  const spanContext = {traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true};
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : undefined;
}

import {trace} from '@opentelemetry/api';
import {expect, test} from 'vitest';
import {contextOfTraceParent} from './context-of-trace-parent.ts';

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

test.each([
  [`00-${traceId}-${spanId}-01`, 1],
  [`00-${traceId}-${spanId}-00`, 0],
  [`cc-${traceId}-${spanId}-03-later`, 1],
])('%s is accepted', (header, traceFlags) => {
  const context = contextOfTraceParent(header);
  expect(context && trace.getSpanContext(context)).toEqual({traceId, spanId, traceFlags, isRemote: true});
});

test.each([
  undefined,
  '',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}`,
])('%s is ignored', (header) => {
  expect(contextOfTraceParent(header)).toBeUndefined();
});

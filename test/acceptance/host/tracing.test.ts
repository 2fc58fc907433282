// Calls as spans of the real OpenTelemetry SDK: each leads to its receipt, and contains its nested calls.
import {context} from '@opentelemetry/api';
import {AsyncLocalStorageContextManager} from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import type {Host, Session} from '@lumenflow/host';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const exporter = new InMemorySpanExporter();
let workspace: HostWorkspace;
let host: Host;
let session: Session;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracerProvider = new BasicTracerProvider({spanProcessors: [new SimpleSpanProcessor(exporter)]});
  workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
    direct: ['pool:*'],
    files: {'docs/old.md': 'old\n', 'src/secret.ts': 'secret\n'},
  });
  host = await workspace.start({tracerProvider});
  session = opened(await host.openSession({by: 'tester'}));
});
beforeEach(() => exporter.reset());
afterAll(async () => {
  await workspace.remove();
  context.disable();
});

/** Names from the outermost in, each the parent of the next. */
function chain(spans: readonly ReadableSpan[]): readonly string[] {
  const names: string[] = [];
  let inside: string | undefined;
  for (let next = spans.find((span) => span.parentSpanContext === undefined); next;) {
    names.push(next.name);
    inside = next.spanContext().spanId;
    next = spans.find((span) => span.parentSpanContext?.spanId === inside);
  }
  return names;
}

/** The end in nanoseconds of its hour: an hour of them is exact. */
function timeOf({endTime: [seconds, nanoseconds]}: ReadableSpan): number {
  return (seconds % 3_600) * 1_000_000_000 + nanoseconds;
}

test.each(['pool', 'sandbox'])(
  'a call of the %s that calls another is one trace, with the receipts of both',
  async (home) => {
    const output = await session.call(`${home}:report`, {folder: 'docs'});
    expect(output).toMatchObject({success: true});
    const spans = exporter.getFinishedSpans();
    const isStage = ({name}: ReadableSpan): boolean => /^(?:admit|record)/u.test(name);
    expect(chain(spans.filter((span) => !isStage(span)))).toEqual([
      `execute_tool ${home}:report`,
      `dispatch ${home}:report`,
      'execute_tool pool:echo',
      'dispatch pool:echo',
    ]);
    const [inner, outer] = (await host.runtime.evidence.readTraces({limit: 2})).receipts;
    expect(outer?.receipt_id).toBe(output.metadata?.receipt_id);
    const receiptOf = (name: string) => spans.find((span) => span.name === name)?.attributes['lumenflow.receipt_id'];
    expect(receiptOf(`execute_tool ${home}:report`)).toBe(outer?.receipt_id);
    expect(receiptOf(`dispatch ${home}:report`)).toBe(outer?.receipt_id);
    expect(receiptOf('execute_tool pool:echo')).toBe(inner?.receipt_id);
    const dispatched = spans.find((span) => span.name === `dispatch ${home}:report`);
    expect(dispatched?.attributes['lumenflow.enforcement.tier']).toBe(home === 'pool' ? 'none' : 'standard');
    for (const name of [`${home}:report`, 'pool:echo']) {
      const call = spans.find((span) => span.name === `execute_tool ${name}`);
      const stages = spans.filter(({parentSpanContext}) => parentSpanContext?.spanId === call?.spanContext().spanId);
      const inOrder = stages.toSorted((left, right) => timeOf(left) - timeOf(right)).map((stage) => stage.name);
      expect(inOrder).toEqual(['admit', 'record intent', `dispatch ${name}`, 'record outcome']);
    }
  },
);

test('a refused call has a span with its code and receipt, and no more of it', async () => {
  const output = await session.call('none:such', {secret: 'do not tell'});
  const spans = exporter.getFinishedSpans();
  const span = spans.at(-1);
  expect(spans.map(({name}) => name)).toEqual(['admit', 'record outcome', 'execute_tool none:such']);
  expect(span?.status).toEqual({code: 2});
  expect(span?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'none:such',
    'error.type': 'TOOL_NOT_FOUND',
    'lumenflow.receipt_id': output.metadata?.receipt_id,
    'lumenflow.task_id': session.task_id,
    'lumenflow.session_id': session.session_id,
  });
});

test('packs, lanes and reloads are those of the runtime itself', () => {
  expect(host.runtime.workspace.tools.has('pool:echo')).toBe(true);
  expect(Object.keys(host.runtime)).toContain('executeTool');
});

test('a call that cannot be made at all ends its span, too', async () => {
  await host.close();
  await expect(session.call('pool:echo', {})).rejects.toThrow('closed');
  expect(exporter.getFinishedSpans().map(({status}) => status)).toEqual([{code: 2}]);
});

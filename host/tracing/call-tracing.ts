// Calls as OpenTelemetry spans. Each names its receipt, which leads from a trace to the evidence, and parents the spans of
// nested calls. A span contains the tool's name and the outcome, never input or output.
import {context, trace, SpanStatusCode, type Attributes, type Span, type TracerProvider} from '@opentelemetry/api';
import type {Dispatcher, DispatchRequest, KernelRuntime} from '@lumenflow/kernel';
import type {RecordObserver} from '@lumenflow/kernel/node';
import type {ToolOutput} from '@lumenflow/schemas';
import {version} from '../version.ts';

export interface CallTracing {
  /** Starts a span for each call, including denied ones. */
  runtime(runtime: KernelRuntime): KernelRuntime;
  /** Starts a child span for the handler's run. */
  dispatcher<D extends Dispatcher>(dispatcher: D): D;
  /** Adds spans for a call's other stages, whose ends its records show. Called in the context of the call. */
  readonly recorded: RecordObserver;
}

type Act<T> = (span: Span) => Promise<T>;

export function createCallTracing(provider: TracerProvider): CallTracing {
  const tracer = provider.getTracer('@lumenflow/host', version);

  async function within<T>(name: string, attributes: Attributes, act: Act<T>): Promise<T> {
    return await tracer.startActiveSpan(name, {attributes}, async (span) => {
      try {
        return await act(span);
      } catch (error) {
        span.setStatus({code: SpanStatusCode.ERROR});
        throw error;
      } finally {
        span.end();
      }
    });
  }

  async function call(name: string, ids: Attributes, act: () => Promise<ToolOutput>): Promise<ToolOutput> {
    const attributes = {'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, ...ids};
    return await within(`execute_tool ${name}`, attributes, async (span) => {
      const output = await act();
      const {error, metadata} = output;
      if (metadata?.receipt_id !== undefined) span.setAttribute('lumenflow.receipt_id', metadata.receipt_id);
      if (error) span.setStatus({code: SpanStatusCode.ERROR}).setAttribute('error.type', error.code);
      return output;
    });
  }

  async function dispatch(dispatcher: Dispatcher, request: DispatchRequest) {
    const {receipt_id, tool} = request;
    const attributes = {'gen_ai.tool.name': tool.name, 'lumenflow.receipt_id': receipt_id};
    return await within(`dispatch ${tool.name}`, attributes, async (span) => {
      // A handler's requests come from a thread or a sandbox, which have no trace context.
      const here = trace.setSpan(context.active(), span);
      const callTool: DispatchRequest['callTool'] = (name, input) =>
        context.with(here, () => call(name, {}, () => request.callTool(name, input)));
      const outcome = await dispatcher.dispatch({...request, callTool});
      const {backend, tier, start} = outcome.enforcement ?? {};
      if (backend !== undefined) span.setAttribute('lumenflow.enforcement.backend', backend);
      if (tier !== undefined) span.setAttribute('lumenflow.enforcement.tier', tier);
      if (start !== undefined) span.setAttribute('lumenflow.enforcement.start', start);
      return outcome;
    });
  }

  function stage(name: string, startTime: number, endTime: number): void {
    tracer.startSpan(name, {startTime}).end(endTime);
  }

  return {
    recorded({records, beganMs, endedMs}) {
      if (trace.getActiveSpan() === undefined) return;
      const types = records.map(({type}) => type);
      const started = records.find(({type}) => type === 'tool_call_started');
      if (started) stage('admit', Math.min(Date.parse(started.timestamp), beganMs), beganMs);
      const isEnd = types.includes('tool_call_finished');
      if (started || isEnd) stage(isEnd ? 'record outcome' : 'record intent', beganMs, endedMs);
    },
    runtime: (runtime) =>
      withMember(runtime, 'executeTool', (name, input, execution) => {
        const {task_id, session_id} = execution;
        const ids = {'lumenflow.task_id': task_id, 'lumenflow.session_id': session_id};
        return call(name, ids, () => runtime.executeTool(name, input, execution));
      }),
    dispatcher: (dispatcher) => withMember(dispatcher, 'dispatch', (request) => dispatch(dispatcher, request)),
  };
}

/** The same object with one member replaced; getters are still evaluated on access. */
function withMember<T extends object, K extends keyof T>(object: T, name: K, value: T[K]): T {
  const members = {...Object.getOwnPropertyDescriptors(object), [name]: {value, enumerable: true}};
  return Object.defineProperties({}, members) as T;
}

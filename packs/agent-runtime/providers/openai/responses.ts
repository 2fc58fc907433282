// The protocol of `POST /responses`, OpenAI's newer one. The server stores nothing.
import type {FinishReason, Message} from '@lumenflow/pack-sdk/agent-session';
import * as z from 'zod/mini';
import type {ModelReply, ModelRequest, Protocol, ReplyAssembly} from '../remote/protocol.ts';
import {serverFault} from '../remote/server-fault.ts';
import {systemText} from '../remote/system-text.ts';

const part = z.looseObject({type: z.string(), text: z.optional(z.string()), refusal: z.optional(z.string())});
const item = z.looseObject({
  type: z.string(),
  content: z.optional(z.array(part)),
  call_id: z.optional(z.string()),
  name: z.optional(z.string()),
  arguments: z.optional(z.string()),
});
const body = z.object({
  status: z.optional(z.string()),
  error: z.optional(z.unknown()),
  incomplete_details: z.nullish(z.object({reason: z.optional(z.string())})),
  output: z.array(item),
  usage: z.nullish(z.object({input_tokens: z.number(), output_tokens: z.number()})),
});
const functionCall = z.object({call_id: z.string(), name: z.string(), arguments: z.string()});
const event = z.looseObject({type: z.string(), delta: z.optional(z.unknown()), response: z.optional(z.unknown())});

export const responses: Protocol = {
  path: '/responses',
  headers: (key) => (key === undefined ? {} : {authorization: `Bearer ${key}`}),
  bodyOf: ({model, messages, tools, max_output_tokens, stream}: ModelRequest) => ({
    model,
    ...systemText(messages, 'instructions'),
    input: messages.flatMap(toItems),
    ...(tools.length > 0 && {tools: tools.map((tool) => ({type: 'function', ...tool, strict: false}))}),
    ...(max_output_tokens !== undefined && {max_output_tokens}),
    ...(stream && {stream}),
    store: false,
  }),
  read: readBody,
  assemble: assembleEvents,
};

function toItems(message: Message): readonly object[] {
  if (message.role === 'system') return [];
  if (message.role === 'tool')
    return [{type: 'function_call_output', call_id: message.tool_call_id, output: message.content}];
  const {role, content} = message;
  const requested = message.role === 'assistant' ? (message.requested_tools ?? []) : [];
  const calls = requested.map(({id, name, input}) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  }));
  return [...(content === '' ? [] : [{type: 'message', role, content}]), ...calls];
}

function readBody(value: unknown): ModelReply {
  const {status, incomplete_details: incomplete, output, usage, error} = z.parse(body, value);
  serverFault({error});
  const parts = output.filter(({type}) => type === 'message').flatMap(({content}) => content ?? []);
  const calls = output.filter(({type}) => type === 'function_call').map((found) => z.parse(functionCall, found));
  const isRefused = parts.some(({type}) => type === 'refusal');
  const finish: FinishReason = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    text: parts.map(({text, refusal}) => text ?? refusal ?? '').join(''),
    calls: calls.map(({call_id: id, name, arguments: given}) => ({id, name, arguments: given})),
    finish_reason: isRefused
      ? 'refusal'
      : status === 'incomplete'
        ? (reasons[incomplete?.reason ?? ''] ?? 'length')
        : finish,
    input_tokens: usage?.input_tokens ?? 0,
    output_tokens: usage?.output_tokens ?? 0,
  };
}

const reasons: Readonly<Record<string, FinishReason>> = {max_output_tokens: 'length', content_filter: 'content_filter'};
const last = ['response.completed', 'response.incomplete', 'response.failed'];
const texts = ['response.output_text.delta', 'response.refusal.delta'];

/** The last event contains the whole response, so earlier events are read for their text only. */
function assembleEvents(): ReplyAssembly {
  let whole: unknown;
  return {
    take(data) {
      const {type, delta, response} = z.parse(event, data);
      if (type === 'error') serverFault({error: data});
      if (last.includes(type)) whole = response;
      return texts.includes(type) && typeof delta === 'string' ? delta : '';
    },
    body: () => whole,
  };
}

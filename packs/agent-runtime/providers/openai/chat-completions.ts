// The protocol of `POST /chat/completions`, used by OpenAI and most local model servers.
import type {FinishReason, Message} from '@lumenflow/pack-sdk/agent-session';
import * as z from 'zod/mini';
import type {ModelReply, ModelRequest, Protocol, ReplyAssembly} from '../remote/protocol.ts';
import {serverFault} from '../remote/server-fault.ts';

const call = z.object({id: z.string(), function: z.object({name: z.string(), arguments: z.string()})});
const usage = z.nullish(z.object({prompt_tokens: z.number(), completion_tokens: z.number()}));
const body = z.object({
  choices: z.tuple(
    [
      z.object({
        finish_reason: z.nullish(z.string()),
        message: z.object({
          content: z.nullish(z.string()),
          refusal: z.nullish(z.string()),
          tool_calls: z.nullish(z.array(call)),
        }),
      }),
    ],
    z.unknown(),
  ),
  usage,
});
const chunk = z.object({
  choices: z.optional(
    z.array(
      z.object({
        finish_reason: z.nullish(z.string()),
        delta: z.nullish(
          z.object({
            content: z.nullish(z.string()),
            refusal: z.nullish(z.string()),
            tool_calls: z.nullish(
              z.array(
                z.object({
                  index: z.number(),
                  id: z.nullish(z.string()),
                  function: z.nullish(z.object({name: z.nullish(z.string()), arguments: z.nullish(z.string())})),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
  ),
  usage,
});

export const chatCompletions: Protocol = {
  path: '/chat/completions',
  headers: (key) => (key === undefined ? {} : {authorization: `Bearer ${key}`}),
  bodyOf: ({model, messages, tools, max_output_tokens, stream}: ModelRequest) => ({
    model,
    messages: messages.map(toMessage),
    ...(tools.length > 0 && {tools: tools.map((tool) => ({type: 'function', function: tool}))}),
    ...(max_output_tokens !== undefined && {max_completion_tokens: max_output_tokens}),
    ...(stream && {stream, stream_options: {include_usage: true}}),
  }),
  read: readBody,
  assemble: assembleChunks,
};

function toMessage(message: Message): Readonly<Record<string, unknown>> {
  if (message.role !== 'assistant' || message.requested_tools === undefined) return {...message};
  const {role, content, requested_tools} = message;
  const tool_calls = requested_tools.map(({id, name, input}) => ({
    id,
    type: 'function',
    function: {name, arguments: JSON.stringify(input)},
  }));
  return {role, content: content === '' ? null : content, tool_calls};
}

function readBody(value: unknown): ModelReply {
  const {
    choices: [choice],
    usage: used,
  } = z.parse(body, value);
  const {content, refusal, tool_calls: calls} = choice.message;
  return {
    text: content ?? refusal ?? '',
    calls: (calls ?? []).map(({id, function: asked}) => ({id, ...asked})),
    finish_reason: typeof refusal === 'string' ? 'refusal' : (reasons[choice.finish_reason ?? ''] ?? 'stop'),
    input_tokens: used?.prompt_tokens ?? 0,
    output_tokens: used?.completion_tokens ?? 0,
  };
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

type CallPart = NonNullable<NonNullable<Delta['tool_calls']>[number]>;
type Delta = NonNullable<NonNullable<z.infer<typeof chunk>['choices']>[number]['delta']>;

/** A call arrives in parts: id and name once, arguments in pieces. */
function growCall(calls: Map<number, z.infer<typeof call>>, {index, id, function: part}: CallPart): void {
  const known = calls.get(index) ?? {id: id ?? '', function: {name: '', arguments: ''}};
  known.function.name += part?.name ?? '';
  known.function.arguments += part?.arguments ?? '';
  calls.set(index, known);
}

/** Null until the first part, because no text differs from an empty text. */
function grow(text: string | null, part: string | null | undefined): string | null {
  return typeof part === 'string' ? (text ?? '') + part : text;
}

function assembleChunks(): ReplyAssembly {
  const calls = new Map<number, z.infer<typeof call>>();
  let [content, refusal]: [string | null, string | null] = [null, null];
  let finish_reason: string | undefined;
  let used: unknown;
  return {
    take(data) {
      serverFault(data);
      const {choices: [choice] = [], usage: counted} = z.parse(chunk, data);
      used = counted ?? used;
      finish_reason = choice?.finish_reason ?? finish_reason;
      const {content: text, refusal: refused, tool_calls: parts} = choice?.delta ?? {};
      for (const part of parts ?? []) growCall(calls, part);
      content = grow(content, text);
      refusal = grow(refusal, refused);
      return `${text ?? ''}${refused ?? ''}`;
    },
    body: () =>
      finish_reason === undefined
        ? undefined
        : {choices: [{finish_reason, message: {content, refusal, tool_calls: [...calls.values()]}}], usage: used},
  };
}

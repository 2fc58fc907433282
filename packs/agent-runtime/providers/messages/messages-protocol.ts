// The protocol of `POST /messages`, used by Anthropic and compatible servers.
import type {FinishReason, Message} from '@lumenflow/pack-sdk/agent-session';
import * as z from 'zod/mini';
import type {ModelReply, ModelRequest, Protocol, ReplyAssembly} from '../remote/protocol.ts';
import {serverFault} from '../remote/server-fault.ts';
import {systemText} from '../remote/system-text.ts';

/** The protocol requires a limit. All current models accept this one. */
const outputTokensDefault = 4096;

const block = z.looseObject({type: z.string()});
const textBlock = z.object({text: z.string()});
const toolBlock = z.object({id: z.string(), name: z.string(), input: z.unknown()});
const usage = z.object({input_tokens: z.number(), output_tokens: z.number()});
const body = z.object({content: z.array(block), stop_reason: z.nullish(z.string()), usage});
const event = z.looseObject({type: z.string(), index: z.optional(z.number())});
const started = z.object({message: z.object({usage})});
const delta = z.object({
  delta: z.looseObject({
    type: z.string(),
    text: z.optional(z.string()),
    partial_json: z.optional(z.string()),
  }),
});
const ended = z.object({
  delta: z.object({stop_reason: z.nullish(z.string())}),
  usage: z.optional(z.object({output_tokens: z.number()})),
});

export const messagesProtocol: Protocol = {
  path: '/messages',
  headers: (key) => ({'anthropic-version': '2023-06-01', ...(key !== undefined && {'x-api-key': key})}),
  bodyOf: ({model, messages, tools, max_output_tokens, stream}: ModelRequest) => ({
    model,
    max_tokens: max_output_tokens ?? outputTokensDefault,
    ...systemText(messages, 'system'),
    messages: alternate(messages),
    ...(tools.length > 0 && {
      tools: tools.map(({name, description, parameters}) => ({name, description, input_schema: parameters})),
    }),
    ...(stream && {stream}),
  }),
  read: readBody,
  assemble: assembleEvents,
};

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: object[];
}

/** Merges consecutive messages of one side. Tool results belong to the user's side. */
function alternate(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message);
    const before = turns.at(-1);
    if (blocks.length === 0) continue;
    if (before?.role === role) before.content.push(...blocks);
    else turns.push({role, content: [...blocks]});
  }
  return turns;
}

function blocksOf(message: Message): readonly object[] {
  const {role, content} = message;
  if (role === 'tool') return [{type: 'tool_result', tool_use_id: message.tool_call_id, content}];
  const requested = role === 'assistant' ? (message.requested_tools ?? []) : [];
  return [
    ...(content === '' ? [] : [{type: 'text', text: content}]),
    // Servers accept objects only. A text is what the model sent instead of JSON.
    ...requested.map(({id, name, input}) => ({
      type: 'tool_use',
      id,
      name,
      input: typeof input === 'string' ? {arguments: input} : input,
    })),
  ];
}

function readBody(value: unknown): ModelReply {
  const {content, stop_reason: reason, usage: used} = z.parse(body, value);
  const texts = content.filter(({type}) => type === 'text').map((found) => z.parse(textBlock, found).text);
  const tools = content.filter(({type}) => type === 'tool_use').map((found) => z.parse(toolBlock, found));
  return {
    text: texts.join(''),
    calls: tools.map(({id, name, input}) => ({id, name, arguments: input})),
    finish_reason: reasons[reason ?? ''] ?? 'stop',
    ...used,
  };
}

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'refusal',
};

function assembleEvents(): ReplyAssembly {
  const blocks = new Map<number, object>();
  const texts = new Map<number, string>();
  const inputs = new Map<number, string>();
  let used: z.infer<typeof usage> | undefined;
  let stopReason: string | null | undefined;
  let isWhole = false;
  const grow = (index: number, data: unknown): string => {
    const {text, partial_json: json} = z.parse(delta, data).delta;
    if (text !== undefined) texts.set(index, (texts.get(index) ?? '') + text);
    if (json !== undefined) inputs.set(index, (inputs.get(index) ?? '') + json);
    return text ?? '';
  };
  return {
    take(data) {
      const {type, index = 0} = z.parse(event, data);
      if (type === 'error') serverFault(data);
      if (type === 'message_start') used = z.parse(started, data).message.usage;
      if (type === 'content_block_start') {
        const {content_block} = z.parse(z.object({content_block: block}), data);
        blocks.set(index, {...content_block});
      }
      if (type === 'message_stop') isWhole = true;
      if (type === 'message_delta') {
        const {delta: end, usage: counted} = z.parse(ended, data);
        stopReason = end.stop_reason;
        if (used && counted) used = {...used, ...counted};
      }
      return type === 'content_block_delta' ? grow(index, data) : '';
    },
    body() {
      if (!isWhole) return undefined;
      const content = [...blocks].map(([index, found]) => {
        const [text, input = ''] = [texts.get(index), inputs.get(index)];
        return {...found, ...(text !== undefined && {text}), ...(input !== '' && {input})};
      });
      return {content, stop_reason: stopReason, usage: used};
    },
  };
}

// The wire formats of model servers, written from their specifications, independent of the code that reads them.
import type {FinishReason} from '@lumenflow/pack-sdk/agent-session';
import type {RemoteModel} from '../pack-config.ts';

export interface Scene {
  readonly text?: string;
  readonly refusal?: string;
  /** `arguments` that are a string are sent unchanged. */
  readonly calls?: readonly {readonly id: string; readonly name: string; readonly arguments: object | string}[];
  readonly finish?: FinishReason;
}

export interface Dialect {
  readonly name: string;
  readonly model: Pick<RemoteModel, 'provider' | 'api'>;
  readonly path: string;
  whole(scene: Scene): object;
  /** Server-sent events, each with its empty line. */
  frames(scene: Scene): readonly string[];
}

const [input, output] = [12, 7];
const pieces = (text: string): readonly string[] => text.match(/.{1,5}/gsu) ?? [];
const textOf = (given: object | string): string => (typeof given === 'string' ? given : JSON.stringify(given));
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: {readonly type: string}): string => `event: ${value.type}\n${data(value)}`;

const chatReasons = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  refusal: 'stop',
  content_filter: 'content_filter',
};

const chat: Dialect = {
  name: 'openai_compatible, chat completions',
  model: {provider: 'openai_compatible'},
  path: '/v1/chat/completions',
  whole: ({text, refusal, calls = [], finish}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text ?? null,
          refusal: refusal ?? null,
          ...(calls.length > 0 && {
            tool_calls: calls.map(({id, name, arguments: given}) => ({
              id,
              type: 'function',
              function: {name, arguments: textOf(given)},
            })),
          }),
        },
        logprobs: null,
        finish_reason: chatReasons[finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')],
      },
    ],
    usage: {prompt_tokens: input, completion_tokens: output, total_tokens: input + output},
  }),
  frames({text, refusal, calls = [], finish}) {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      data({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{index: 0, delta, finish_reason}],
        usage: null,
      });
    return [
      chunk({role: 'assistant', content: text === undefined ? null : ''}),
      ': a comment\n\n',
      ...pieces(text ?? '').map((content) => chunk({content})),
      ...pieces(refusal ?? '').map((part) => chunk({refusal: part})),
      ...calls.flatMap(({id, name, arguments: given}, index) => [
        chunk({tool_calls: [{index, id, type: 'function', function: {name, arguments: ''}}]}),
        ...pieces(textOf(given)).map((part) => chunk({tool_calls: [{index, function: {arguments: part}}]})),
      ]),
      chunk({}, chatReasons[finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')]),
      data({
        id: 'c',
        object: 'chat.completion.chunk',
        choices: [],
        usage: {prompt_tokens: input, completion_tokens: output},
      }),
      'data: [DONE]\n\n',
    ];
  },
};

const responses: Dialect = {
  name: 'openai_compatible, responses',
  model: {provider: 'openai_compatible', api: 'responses'},
  path: '/v1/responses',
  whole: ({text, refusal, calls = [], finish}) => ({
    id: 'resp_1',
    object: 'response',
    status: finish === 'length' || finish === 'content_filter' ? 'incomplete' : 'completed',
    error: null,
    incomplete_details:
      finish === 'length'
        ? {reason: 'max_output_tokens'}
        : finish === 'content_filter'
          ? {reason: 'content_filter'}
          : null,
    output: [
      {type: 'reasoning', id: 'rs_1', summary: []},
      ...(text === undefined && refusal === undefined
        ? []
        : [
            {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              status: 'completed',
              content: [
                refusal === undefined ? {type: 'output_text', text, annotations: []} : {type: 'refusal', refusal},
              ],
            },
          ]),
      ...calls.map(({id, name, arguments: given}) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: textOf(given),
        status: 'completed',
      })),
    ],
    usage: {input_tokens: input, output_tokens: output, total_tokens: input + output},
  }),
  frames(scene) {
    const {text = '', refusal = '', finish} = scene;
    const whole = responses.whole(scene);
    return [
      event({type: 'response.created', response: {...whole, status: 'in_progress', output: []}} as {type: string}),
      ...pieces(text).map((delta) =>
        event({type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta} as {type: string}),
      ),
      ...pieces(refusal).map((delta) =>
        event({type: 'response.refusal.delta', item_id: 'msg_1', delta} as {type: string}),
      ),
      event({
        type: finish === 'length' || finish === 'content_filter' ? 'response.incomplete' : 'response.completed',
        response: whole,
      } as {type: string}),
    ];
  },
};

const messageReasons = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  content_filter: 'refusal',
};

function blocksOf({text, refusal, calls = []}: Scene): readonly Record<string, unknown>[] {
  const said = text ?? refusal;
  return [
    ...(said === undefined ? [] : [{type: 'text', text: said}]),
    ...calls.map(({id, name, arguments: given}) => ({type: 'tool_use', id, name, input: given})),
  ];
}

function stopReason({calls = [], refusal, finish}: Scene): string {
  return messageReasons[finish ?? (refusal === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : 'refusal')];
}

const messages: Dialect = {
  name: 'messages_compatible',
  model: {provider: 'messages_compatible'},
  path: '/v1/messages',
  whole: (scene) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: blocksOf(scene),
    stop_reason: stopReason(scene),
    stop_sequence: null,
    usage: {input_tokens: input, output_tokens: output},
  }),
  frames: (scene) => [
    event({
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [],
        usage: {input_tokens: input, output_tokens: 1},
      },
    } as {type: string}),
    event({type: 'ping'}),
    ...blocksOf(scene).flatMap((block, index) => {
      const isText = block['type'] === 'text';
      const parts = pieces(isText ? String(block['text']) : textOf(block['input'] as object));
      const start = isText ? {type: 'text', text: ''} : {...block, input: {}};
      const delta = (part: string): object =>
        isText ? {type: 'text_delta', text: part} : {type: 'input_json_delta', partial_json: part};
      return [
        event({type: 'content_block_start', index, content_block: start} as {type: string}),
        ...parts.map((part) => event({type: 'content_block_delta', index, delta: delta(part)} as {type: string})),
        event({type: 'content_block_stop', index} as {type: string}),
      ];
    }),
    event({
      type: 'message_delta',
      delta: {stop_reason: stopReason(scene), stop_sequence: null},
      usage: {output_tokens: output},
    } as {type: string}),
    event({type: 'message_stop'}),
  ],
};

export const dialects: readonly Dialect[] = [chat, responses, messages];

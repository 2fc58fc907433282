// A turn on a model server: reads config and environment, sends the request and converts the reply.
import type {Message, TurnData} from '@lumenflow/pack-sdk/agent-session';
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {RemoteModel} from '../pack-config.ts';
import type {TurnInput} from '../turn/turn-input.ts';
import {messagesProtocol} from './messages/messages-protocol.ts';
import {chatCompletions} from './openai/chat-completions.ts';
import {responses} from './openai/responses.ts';
import {askModel} from './remote/ask-model.ts';
import {nativeName, nativeTools} from './remote/native-tools.ts';
import type {Protocol} from './remote/protocol.ts';
import {turnOfReply} from './remote/turn-of-reply.ts';

const retriesDefault = 2;
const timeoutDefaultMs = 120_000;

/** Throws ToolError with a ProviderErrorCode, MODEL_NOT_CONFIGURED or INVALID_INPUT. */
export async function runRemoteTurn(
  model: RemoteModel,
  input: TurnInput,
  {
    env,
    config,
    signal,
    progress,
  }: Pick<ToolContext<{readonly limits?: TurnInput['limits']} | undefined>, 'env' | 'config' | 'signal' | 'progress'>,
): Promise<TurnData> {
  const native = nativeTools(input);
  const outputTokens = Math.min(
    config?.limits?.max_output_tokens ?? Infinity,
    input.limits?.max_output_tokens ?? Infinity,
  );
  const reply = await askModel(
    protocolOf(model),
    {
      base_url: addressOf(model, env),
      key: model.api_key_env === undefined ? undefined : env[model.api_key_env],
      retries: model.max_retries ?? retriesDefault,
      timeout_ms: model.timeout_ms ?? timeoutDefaultMs,
      signal,
    },
    {
      model: model.model,
      messages: input.messages.map(withNativeNames),
      tools: native.tools,
      ...(outputTokens !== Infinity && {max_output_tokens: outputTokens}),
      stream: input.stream === true,
    },
    async (text) => await progress({type: 'text_delta', text}),
  );
  return turnOfReply(reply, model, input, native);
}

function protocolOf({provider, api}: RemoteModel): Protocol {
  if (provider === 'messages_compatible') return messagesProtocol;
  return api === 'responses' ? responses : chatCompletions;
}

function addressOf({base_url: url, base_url_env: name}: RemoteModel, env: ToolContext['env']): string {
  const address = url ?? env[name ?? ''] ?? '';
  if (URL.canParse(address)) return address;
  throw new ToolError('MODEL_NOT_CONFIGURED', `the variable \`${name ?? ''}\` is not an http or https address`, {
    variable: name,
  });
}

function withNativeNames(message: Message): Message {
  if (message.role !== 'assistant' || message.requested_tools === undefined) return message;
  return {
    ...message,
    requested_tools: message.requested_tools.map((asked) => ({...asked, name: nativeName(asked.name)})),
  };
}

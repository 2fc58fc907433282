// Converts a model server's reply into a turn's output.
import type {RequestedTool, TurnData, TurnStatus, Usage} from '@lumenflow/pack-sdk/agent-session';
import * as z from 'zod/mini';
import type {RemoteModel} from '../../pack-config.ts';
import type {TurnInput} from '../../turn/turn-input.ts';
import {endSession, intentField, type NativeTools} from './native-tools.ts';
import type {ModelReply} from './protocol.ts';

/**
 * A call whose arguments are not JSON becomes a call with their text as input. The kernel rejects it as INVALID_INPUT, and the model
 * can correct itself.
 */
export function turnOfReply(
  reply: ModelReply,
  model: RemoteModel,
  {intent_catalog: intents = []}: TurnInput,
  {nameOf}: NativeTools,
): TurnData {
  const calls = reply.calls.map((call) => ({...call, input: inputOf(call.arguments)}));
  const asked = calls.filter(({name}) => name !== endSession);
  const requested = asked.map(({id, name, input}): RequestedTool => ({
    id,
    name: nameOf(name),
    input: withoutIntent(input),
  }));
  const intent = intentOf(
    asked.flatMap(({input}) => (typeof input === 'string' ? [] : [input])),
    intents.map(({id}) => id),
  );
  const ending = asked.length > 0 ? undefined : endingOf(calls[0]?.input);
  const content = [reply.text, ending?.message ?? ''].filter((text) => text !== '').join('\n\n');
  return {
    status: statusOf(requested, ending?.status),
    ...(intent !== undefined && {intent}),
    assistant_message: {role: 'assistant', content, ...(requested.length > 0 && {requested_tools: requested})},
    requested_tools: requested,
    provider: {kind: model.provider, model: model.model},
    usage: usageOf(reply, model),
    finish_reason: reply.finish_reason,
  };
}

function statusOf(requested: readonly RequestedTool[], ending: TurnStatus | undefined): TurnStatus {
  return requested.length > 0 ? 'tool_request' : (ending ?? 'reply');
}

function inputOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return given.trim() === '' ? {} : (JSON.parse(given) as unknown);
  } catch {
    return given;
  }
}

const ending = z.object({status: z.enum(['complete', 'escalate']), message: z.optional(z.string())});

function endingOf(input: unknown): z.infer<typeof ending> | undefined {
  return input === undefined ? undefined : z.safeParse(ending, input).data;
}

/** Calls with different intents, or without one, have no common intent. Policy then denies them. */
function intentOf(inputs: readonly unknown[], intents: readonly string[]): string | undefined {
  if (inputs.length === 0 || intents.length < 2) return inputs.length === 0 ? undefined : intents[0];
  const [first, ...others] = new Set(inputs.map((input): unknown => Object(input)[intentField]));
  return others.length === 0 && typeof first === 'string' ? first : undefined;
}

function withoutIntent(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const {[intentField]: _intent, ...rest} = input as Record<string, unknown>;
  return rest;
}

function usageOf({input_tokens, output_tokens}: ModelReply, {price}: RemoteModel): Usage {
  const usage = {input_tokens, output_tokens, total_tokens: input_tokens + output_tokens};
  if (price === undefined) return usage;
  const cost =
    (input_tokens * price.usd_per_million_input_tokens + output_tokens * price.usd_per_million_output_tokens) /
    1_000_000;
  return {...usage, cost};
}

// What runs a turn on a model, and the one place that knows the kinds.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {ModelProfile} from '../pack-config.ts';
import type {TurnInput, TurnOutput} from '../turn/turn.ts';
import {replayTurn} from './scripted.ts';

/** Throws ToolError PROVIDER_UNAVAILABLE for a kind that this version does not bring. */
export async function runTurn(model: ModelProfile, input: TurnInput, context: ToolContext): Promise<TurnOutput> {
  if (model.provider === 'scripted') return replayTurn(model, input, context);
  throw new ToolError(
    'PROVIDER_UNAVAILABLE',
    `this version brings the provider \`scripted\` only; \`${model.provider}\` of model \`${model.model}\` cannot be called yet`,
    {provider: model.provider, model: model.model},
  );
}

// What runs a turn on a model, and the one place that knows the kinds. Each is loaded when it is needed.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {ModelProfile, PackConfig} from '../pack-config.ts';
import type {TurnInput, TurnOutput} from '../turn/turn.ts';

export async function runTurn(
  model: ModelProfile,
  input: TurnInput,
  context: ToolContext<PackConfig>,
): Promise<TurnOutput> {
  if (model.provider === 'scripted') {
    const {replayTurn} = await import('./scripted.ts');
    return await replayTurn(model, input, context);
  }
  const {runRemoteTurn} = await import('./run-remote-turn.ts');
  return await runRemoteTurn(model, input, context);
}

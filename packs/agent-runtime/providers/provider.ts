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

/** So that the next turn is not the first. Only turns on a model server have a network. */
export async function prepareTurn(hasNetwork: boolean): Promise<void> {
  if (hasNetwork) {
    const {rehearseRemoteTurn} = await import('./rehearse-remote-turn.ts');
    await rehearseRemoteTurn();
  } else {
    const {parseScript} = await import('./parse-script.ts');
    parseScript('{"turns": [{"content": "Hello."}]}', 'rehearsal');
  }
}

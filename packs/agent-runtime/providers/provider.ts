// Runs a turn on a model. This is the only module that knows the providers; it loads each one on demand.
import type {TurnData} from '@lumenflow/pack-sdk/agent-session';
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {ModelProfile, PackConfig} from '../pack-config.ts';
import type {TurnInput} from '../turn/turn-input.ts';

export async function runTurn(
  model: ModelProfile,
  input: TurnInput,
  context: ToolContext<PackConfig>,
): Promise<TurnData> {
  if (model.provider === 'scripted') {
    const {replayTurn} = await import('./replay-turn.ts');
    return await replayTurn(model, input, context);
  }
  const {runRemoteTurn} = await import('./run-remote-turn.ts');
  return await runRemoteTurn(model, input, context);
}

/** Warms up the provider. Only turns on a model server have network access. */
export async function prepareTurn(hasNetwork: boolean): Promise<void> {
  if (hasNetwork) {
    const {rehearseRemoteTurn} = await import('./rehearse-remote-turn.ts');
    await rehearseRemoteTurn();
  } else {
    const {parseScript} = await import('./parse-script.ts');
    parseScript('{"turns": [{"content": "Hello."}]}', 'rehearsal');
  }
}

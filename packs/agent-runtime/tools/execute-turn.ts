// agent:execute-turn runs one turn of a model. The model proposes calls; nothing is executed here.
import type {TurnData} from '@lumenflow/pack-sdk/agent-session';
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';
import {prepareTurn, runTurn} from '../providers/provider.ts';
import {checkLimits} from '../turn/check-limits.ts';
import {selectModel} from '../turn/select-model.ts';
import type {TurnInput} from '../turn/turn-input.ts';

export const executeTurn: ToolDefinition<TurnInput, TurnData, PackConfig> = defineTool({
  async run(input, context) {
    const {config} = context;
    const model = selectModel(config, input.model_profile);
    checkLimits(input, config?.limits);
    return runTurn(model, input, context);
  },
  prepare: ({network}) => prepareTurn(network !== 'off'),
});

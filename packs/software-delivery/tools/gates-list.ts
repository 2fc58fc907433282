// gates:list: the gates that the config declares.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {planGates, type Gate} from '../gates/plan-gates.ts';
import type {PackConfig} from '../pack-config.ts';

export const gatesList: ToolDefinition<
  Record<string, never>,
  {readonly gates: readonly Gate[]},
  PackConfig
> = defineTool({
  run: (_input, {config}) => ({gates: planGates(config)}),
});

// gates:list lists the configured gates with their source, and suggests presets that fit the repository.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {configHash} from '../../gates/config-hash.ts';
import {detectPresets, type DetectedPreset} from '../../gates/detect-presets.ts';
import {planGates, type Gate} from '../../gates/plan-gates.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface GatesListOutput {
  /** In run order. */
  readonly gates: readonly Omit<Gate, 'coverage'>[];
  readonly config_hash: string;
  readonly detected: readonly DetectedPreset[];
}

export const gatesList: ToolDefinition<Record<string, never>, GatesListOutput, PackConfig> = defineTool({
  async run(_input, call) {
    const {fs, config} = await inCheckout(call);
    const planned = planGates(config);
    return {
      gates: planned.map(listed),
      config_hash: await configHash(planned),
      detected: await detectPresets(fs),
    };
  },
});

/** The command of the coverage gate already describes its condition. */
function listed(gate: Gate): Omit<Gate, 'coverage'> {
  const {coverage: _, ...words} = gate;
  return words;
}

// config:set validates a change of the pack's config as the runtime would, and stores it as a proposal. It returns the YAML for a
// person to apply.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {applySteps} from '../../config/apply-steps.ts';
import {configSlice} from '../../config/config-slice.ts';
import {keysOf} from '../../config/pointer.ts';
import {configKey, proposeChange} from '../../config/propose-change.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unlessDry} from '../../events/unless-dry.ts';
import type {PackConfig} from '../../pack-config.ts';

interface SetInput {
  readonly pointer: string;
  readonly value?: unknown;
  /** Remove the value. */
  readonly remove?: boolean;
  readonly reason?: string;
  readonly dry_run?: boolean;
}

interface SetOutput {
  readonly pointer: string;
  /** The pack's key of workspace.yaml after the change. */
  readonly yaml: string;
  /** Always false: a person applies the change. */
  readonly applied: false;
  readonly next_steps: readonly string[];
  readonly dry_run: boolean;
}

export const configSet: ToolDefinition<SetInput, SetOutput, PackConfig> = defineTool({
  async run({pointer, value, remove = false, reason, dry_run: dryRun = false}, context) {
    const keys = keysOf(pointer);
    if (keys.length === 0) throw new ToolError('INVALID_POINTER', 'the pointer must name one setting', {pointer});
    const yaml = proposeChange(await context.fs.readText('workspace.yaml'), {keys, value: remove ? undefined : value});
    const words = {pointer, value: remove ? null : value, ...(reason !== undefined && {reason})};
    await openDeliveryLog(context).decide(configSlice, () =>
      unlessDry(dryRun, {events: [{type: 'config_proposed', ...stampOf(context), ...words}], result: undefined}),
    );
    const steps = applySteps(`replace \`${configKey}:\``);
    return {pointer, yaml, applied: false, next_steps: steps, dry_run: dryRun};
  },
});

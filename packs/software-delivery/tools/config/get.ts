// config:get returns a setting of the pack's config, its valid keys, and proposed changes.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {configSlice, type ConfigProposal} from '../../config/config-slice.ts';
import {describeSetting, type Setting} from '../../config/describe-setting.ts';
import {keysOf, valueAt} from '../../config/pointer.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';

interface GetInput {
  readonly pointer?: string;
}

interface GetOutput extends Setting {
  readonly pointer: string;
  /** Null if not set. */
  readonly value: unknown;
  readonly is_set: boolean;
  /** Proposed changes of this setting or below it that are not applied yet. */
  readonly proposed: readonly ConfigProposal[];
}

export const configGet: ToolDefinition<GetInput, GetOutput, PackConfig> = defineTool({
  async run({pointer = ''}, context) {
    const keys = keysOf(pointer);
    const setting = describeSetting(keys);
    if (setting === undefined) {
      const known = describeSetting(keys.slice(0, 1))?.keys ?? describeSetting([])?.keys;
      throw new ToolError('SETTING_UNKNOWN', `the config has no setting \`${pointer}\``, {pointer, known});
    }
    const {config = {}} = context;
    const value = valueAt(config, keys);
    const proposals = Object.values(await openDeliveryLog(context).read(configSlice));
    return {
      pointer,
      value: value ?? null,
      is_set: value !== undefined,
      ...setting,
      proposed: proposals.filter(
        (proposal) =>
          (proposal.pointer === pointer || proposal.pointer.startsWith(`${pointer}/`)) && !stands(config, proposal),
      ),
    };
  },
});

function stands(config: object, {pointer, value}: ConfigProposal): boolean {
  return JSON.stringify(valueAt(config, keysOf(pointer)) ?? null) === JSON.stringify(value);
}

// What config:set would propose: the setting before and after, and the YAML for a person to apply.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {parse} from 'yaml';
import {keysOf} from '../../config/pointer.ts';
import {configKey, proposeChange} from '../../config/propose-change.ts';
import type {PackConfig} from '../../pack-config.ts';

interface SetInput {
  readonly pointer: string;
  readonly value?: unknown;
  readonly remove?: boolean;
}

interface SetPreview {
  readonly pointer: string;
  /** Null if not set. */
  readonly before: unknown;
  readonly after: unknown;
  readonly yaml: string;
}

export const previewConfigSet: ToolDefinition<SetInput, SetPreview, PackConfig> = defineTool({
  async run({pointer, value, remove = false}, context) {
    const keys = keysOf(pointer);
    const now = await context.fs.readText('workspace.yaml');
    const yaml = proposeChange(now, {keys, value: remove ? undefined : value});
    const at = (text: string): unknown =>
      keys.reduce<unknown>(
        (value, key) => (Object(value) as Readonly<Record<string, unknown>>)[key],
        (Object(parse(text)) as Readonly<Record<string, unknown>>)[configKey],
      ) ?? null;
    return {pointer, before: at(now), after: at(yaml), yaml};
  },
});

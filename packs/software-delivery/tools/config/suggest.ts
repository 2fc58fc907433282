// config:suggest returns a config of the pack that fits the repository's files. `lumenflow init` writes it into workspace.yaml.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {detectPresets} from '../../gates/detect-presets.ts';
import type {PackConfig} from '../../pack-config.ts';

interface ConfigSuggestion {
  /** Empty if nothing fits. */
  readonly yaml: string;
}

export const configSuggest: ToolDefinition<Record<string, never>, ConfigSuggestion, PackConfig> = defineTool({
  async run(_input, {fs}) {
    const fitting = (await detectPresets(fs)).find(({commands}) => Object.keys(commands).length > 0);
    if (fitting === undefined) return {yaml: ''};
    const {because, yaml, commands} = fitting;
    const gates = Object.entries(commands).map(([name, command]) => `#   ${name}: ${command}`);
    const comment = [`# Gates that work units must pass, suggested by ${because}:`, ...gates];
    return {yaml: `${comment.join('\n')}\n${yaml}`};
  },
});

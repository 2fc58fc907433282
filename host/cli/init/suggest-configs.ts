// The configs that packs suggest for a new workspace, for example the gates that fit the files of the repository. Each comes from a
// recorded call of the tool that the pack's manifest names in `config_suggestion`.
import {parse} from 'yaml';
import type {CliContext} from '../command.ts';
import {openCallSession} from '../call-commands/call-session.ts';
import {withHost} from '../with-host.ts';

/** YAML for the end of workspace.yaml, one text for each pack that suggests something. */
export async function suggestConfigs(context: CliContext, root: string, by: string): Promise<readonly string[]> {
  try {
    return await withHost({...context, workspace: root}, async (host) => {
      const {runtime} = host;
      const session = await openCallSession(host, {by, lane: undefined, task: undefined});
      const texts: string[] = [];
      for (const {manifest} of runtime.workspace.packs.values()) {
        const {config_suggestion: tool, config_key: key} = manifest;
        if (tool === undefined || key === undefined) continue;
        const {data} = await runtime.executeTool(tool, {}, {...session.context, by, surface: 'cli'});
        const yaml = (Object(data) as {readonly yaml?: unknown}).yaml;
        if (typeof yaml === 'string' && isConfigOf(key, yaml)) texts.push(yaml);
      }
      await session.end();
      return texts;
    });
  } catch {
    // A suggestion is optional. If the workspace does not load, the next command reports why.
    return [];
  }
}

function isConfigOf(key: string, yaml: string): boolean {
  const value: unknown = parse(yaml);
  return typeof value === 'object' && value !== null && Object.keys(value).join() === key;
}

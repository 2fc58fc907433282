// Variables that tools require and the environment lacks: calls of these tools would fail.
import type {Problem, RegisteredTool} from '@lumenflow/kernel';
import type {LoadedWorkspace} from '../loading/with-loaded-workspace.ts';
import {counted} from '../text/counted.ts';

export interface MissingVariables {
  /** For people. */
  readonly detail: string;
  readonly problems: readonly Problem[];
}

const namesMax = 3;

/** One problem for each variable of each pack, at its pin. */
export function missingVariables(
  {source: {spec, locate}, workspace}: Pick<LoadedWorkspace, 'source' | 'workspace'>,
  env: Readonly<Record<string, string | undefined>>,
): MissingVariables {
  const tools = [...workspace.tools.values()];
  const required = new Set(tools.flatMap(variablesOf));
  const problems = spec.packs.flatMap(({id}, index) => {
    const own = tools.filter(({pack}) => pack.manifest.id === id);
    const missing = new Set(own.flatMap(variablesOf).filter((name) => env[name] === undefined));
    return [...missing].map((name): Problem => {
      const readers = own.filter((tool) => variablesOf(tool).includes(name));
      return {
        code: 'ENV_MISSING',
        severity: 'warning',
        message: `\`${name}\` is not in the environment: calls of ${named(readers)} fail`,
        where: locate(`/packs/${index}/id`),
        help: `set \`${name}\` where LumenFlow runs`,
      };
    });
  });
  return {detail: counted(required.size, 'required variable'), problems};
}

function variablesOf({declaration: {required_env = []}}: RegisteredTool): readonly string[] {
  return required_env;
}

function named(tools: readonly RegisteredTool[]): string {
  const shown = tools.slice(0, namesMax).map(({name}) => `\`${name}\``);
  const more = tools.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${counted(more, 'other tool')}` : ''}`;
}

// What cli:run-write and cli:run-admin would run: the current file of the command's program.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {findCommand} from '../../cli/find-command.ts';
import type {CommandInput} from '../../cli/command-runner.ts';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {CliCommandConfig, PackConfig} from '../../pack-config.ts';

interface RunPreview {
  readonly command: string;
  readonly args: readonly string[];
  readonly permission: CliCommandConfig['permission'];
  /** Relative to the workspace root; null if the program is resolved only when it runs. */
  readonly program: string | null;
  readonly program_sha256: string | null;
}

export const previewCliRun: ToolDefinition<CommandInput, RunPreview, PackConfig> = defineTool({
  async run({command, args = []}, {config, fs}) {
    const {permission, module, script} = findCommand(config?.cli, command);
    const root = config?.cli?.root ?? '.';
    const name = module ?? script ?? command;
    for (const ending of ['', '.js', '.mjs', '.cjs', '.ts', '/index.js', '/index.mjs', '/index.ts']) {
      const program = root === '.' ? `${name}${ending}` : `${root}/${name}${ending}`;
      if ((await fs.stat(program))?.kind !== 'file') continue;
      return {command, args, permission, program, program_sha256: await sha256Hex(await fs.readText(program))};
    }
    return {command, args, permission, program: null, program_sha256: null};
  },
});

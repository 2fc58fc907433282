import {defineTool} from '@lumenflow/pack-sdk';
import {createRuntimeCliAdapter} from '@lumenflow/pack-sdk/cli';

interface Words {
  /** Relative to the workspace. */
  readonly script: string;
  readonly runs: readonly {readonly args: readonly string[]; readonly stdin?: string}[];
}

/** Each run both ways, each way in the shape of the other. */
export const compare = defineTool<Words, {runs: unknown[]}>({
  async run({script, runs}, context) {
    const adapter = createRuntimeCliAdapter({workspaceRoot: context.workspace_root, commands: {it: {script}}});
    const compared = [];
    for (const {args, stdin = ''} of runs) {
      const own = await context.exec('node', [script, ...args], {stdin, max_bytes: 4_000_000});
      const adapted = await adapter.run('it', args, {stdin, max_output_bytes: 4_000_000});
      compared.push({args, own: {status: own.exit_code, stdout: own.stdout, stderr: own.stderr}, adapted});
    }
    return {runs: compared};
  },
});

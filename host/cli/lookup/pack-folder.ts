// The folder of a pack in development, to watch.
import {existsSync, realpathSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findPack} from './find-pack.ts';

/** Absolute, symlinks resolved; its manifest can be invalid. Throws CliError USAGE and the errors of findPack. */
export async function packFolder(context: CliContext, name: string): Promise<string> {
  const folder = resolve(context.cwd, name);
  if (existsSync(join(folder, 'manifest.yaml'))) return realpathSync(folder);
  const {workspaceRoot, pin} = await findPack(context, name);
  if (pin.source === 'local') return realpathSync(resolve(workspaceRoot, pin.path ?? '.'));
  throw new CliError('USAGE', `the pack \`${pin.id}\` comes from ${pin.source}: only a local folder can be watched`, {
    help: 'name the folder of a pack',
    exitCode: exitCode.usage,
  });
}

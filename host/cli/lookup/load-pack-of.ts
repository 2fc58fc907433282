// Loads the pack that an author's command works on.
import type {LoadedPack} from '@lumenflow/kernel';
import {loadOwnPack} from '../../authoring/load-own-pack.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';
import {findPack} from './find-pack.ts';

/** Throws CliError PACK_INVALID with the problems, and the errors of findPack. */
export async function loadPackOf(context: CliContext, name: string): Promise<LoadedPack> {
  const {workspaceRoot, pin} = await findPack(context, name);
  const {pack, problems} = await context.spin('loading the pack', () => loadOwnPack(workspaceRoot, pin));
  if (!pack) throw new CliError('PACK_INVALID', `the pack \`${pin.id}\` cannot be loaded`, {problems});
  return pack;
}

// `lumenflow pack hash`: prints a pack's integrity hash.
import type {PackPin} from '@lumenflow/schemas';
import {packIntegrity} from '../../packs/pack-integrity.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {findPack} from '../lookup/find-pack.ts';
import {describeShipping} from '../rendering/describe-shipping.ts';

export const packHash: Command = async (context, [name = '']) => {
  const {workspaceRoot, pin} = await findPack(context, name);
  const hashed = await context.spin('hashing', () => packIntegrity({workspaceRoot, pin}));
  if (!hashed.ok) {
    throw new CliError('LOAD_FAILED', `the pack \`${pin.id}\` cannot be hashed`, {problems: hashed.problem});
  }
  const {integrity} = hashed.value;
  const shipping = describeShipping(hashed.value.shipping);
  const isPinned = (given: PackPin): boolean => given.integrity === integrity;
  return {
    data: {id: pin.id, version: pin.version, integrity, pinned: isPinned(pin), ...shipping.data},
    text: () => integrity,
    note: () => {
      const pinned = isPinned(pin) ? 'as pinned' : `${pin.id} ${pin.version}; current pin: ${pin.integrity}`;
      return `${context.errorStyle.dim(pinned)}\n${shipping.note(context.errorStyle)}`;
    },
  };
};

// Compares the files that `lumenflow pack install` fetched with the lock.
import type {Problem} from '@lumenflow/kernel';
import {lockedPack} from './lock/packs-lock.ts';
import type {PackContents} from './pack-contents.ts';

/** Nobody may edit files in the cache; without a hash in the lock they cannot be verified. */
export function checkInstalled(
  {pin, pinPointer, request}: Pick<PackContents, 'pin' | 'pinPointer' | 'request'>,
  installed: string | undefined,
  files: string,
): readonly Problem[] {
  const fetched = lockedPack(pin, request.lock)?.files;
  const isNew = request.lock.fetched?.has(pin.id) === true;
  if (installed === undefined || isNew || fetched === undefined || fetched === files) return [];
  return [
    {
      code: 'PACK_INSTALLED_CHANGED',
      severity: 'error',
      message: `the installed files of the pack \`${pin.id}\` differ from the fetched files: ${installed} was changed`,
      where: request.locate(pinPointer),
      pointer: pinPointer,
      help: `\`lumenflow pack install ${pin.id}\` fetches them again`,
    },
  ];
}

// Holds the files that `lumenflow pack install` fetched against the lock.
import type {Problem} from '@lumenflow/kernel';
import {lockedPack} from './lock/packs-lock.ts';
import type {PackContents} from './pack-contents.ts';

/** What lies in the cache is nobody's to edit; without its hash in the lock there is nothing to hold it against. */
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

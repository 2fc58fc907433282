// Hashes what a pack consists of, and compares the hash with the pin. A pack consists of the files that npm ships, and of all
// others that can be loaded.
import type {Problem} from '@lumenflow/kernel';
import {describesItself} from '@lumenflow/kernel/adapters';
import type {CachedBuild} from './build/build-cache.ts';
import {hashPack, isBuiltCode} from './files/hash-pack.ts';
import type {PackContents} from './pack-contents.ts';

export interface JudgedIntegrity {
  /** `sha256:<hex>` over the pack's files and its dependencies'. */
  readonly integrity: string;
  readonly shipping: PackShipping;
  readonly problems: readonly Problem[];
}

/** Sorted paths of a pack's files. */
export interface PackShipping {
  readonly shipped: readonly string[];
  /** Neither shipped by npm nor loaded. */
  readonly leftOut: readonly string[];
  /** Loaded, although npm does not ship them. */
  readonly missing: readonly string[];
}

/** Called after everything of the pack was read. */
export function judgeIntegrity(contents: PackContents, {record}: CachedBuild): JudgedIntegrity {
  const leftOut = new Set(record.leftOut);
  const reached = new Set(record.reached);
  const own = [...contents.files.hashes].map(([path, sha256]) => ({path, sha256}));
  const dependencies = record.outside.filter(({counted}) => counted);
  const loadable = own.filter(({path}) => !isBuiltCode(path) || reached.has(path));
  const isCounted = (path: string): boolean => !leftOut.has(path) || reached.has(path) || contents.reads.has(path);
  const published = hashPack([...loadable.filter(({path}) => isCounted(path)), ...dependencies]);
  // Pins of older hosts hash every file of the folder.
  const whole = hashPack([...loadable, ...dependencies]);
  const integrity = contents.pin.integrity === whole ? whole : published;
  const paths = own.map(({path}) => path).toSorted();
  return {
    integrity,
    shipping: {
      shipped: paths.filter((path) => !leftOut.has(path)),
      leftOut: paths.filter((path) => !isCounted(path)),
      missing: paths.filter((path) => leftOut.has(path) && isCounted(path)),
    },
    problems: compareWithPin(contents, integrity),
  };
}

function compareWithPin({pin, pinPointer, request}: PackContents, integrity: string): readonly Problem[] {
  if (pin.integrity === 'dev' || pin.integrity === integrity) return [];
  const remedy = describesItself(pin)
    ? `pin that hash and run \`lumenflow pack install ${pin.id} --update\``
    : `run \`lumenflow pack update ${pin.id}\``;
  return [
    {
      code: 'PACK_INTEGRITY_MISMATCH',
      severity: 'error',
      message: `the files of the pack \`${pin.id}\` do not match the pin: they hash to ${integrity}, but the pin contains ${pin.integrity}`,
      where: request.locate(`${pinPointer}/integrity`),
      pointer: `${pinPointer}/integrity`,
      help: `find out what changed; if you want it, ${remedy}`,
    },
  ];
}

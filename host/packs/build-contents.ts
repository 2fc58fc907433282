// Builds what a manifest names, and compares the hash of everything that went into it with the pin.
import type {Problem} from '@lumenflow/kernel';
import {buildPack, type BuiltPack} from './build-pack.ts';
import type {BundleRequest, PackEntry} from './bundle-request.ts';
import type {PackContents} from './pack-contents.ts';
import {readDependencies} from './read-dependencies.ts';
import {entryPath} from './read-manifest.ts';

export async function buildContents(contents: PackContents): Promise<BuiltPack> {
  // What is wrong with its entries was said when the manifest was read.
  if (contents.read.problems.some(({code}) => code.startsWith('PACK_ENTRY_'))) return {problems: []};
  const declared = await readDependencies(contents.files, contents.display);
  if ('problem' in declared) return {problems: [declared.problem]};
  const built = await buildPack(bundleRequest(contents, declared.names), contents.loader);
  if (!built.build) return built;
  return {...built, problems: [...built.problems, ...checkIntegrity(contents, built.integrity)]};
}

function bundleRequest({files, read, display}: PackContents, dependencies: ReadonlySet<string>): BundleRequest {
  const {manifest, locate} = read;
  const entry = (text: string, pointer: string, builtins: boolean): PackEntry => ({
    file: entryPath(text) ?? '',
    exportName: text.split('#')[1] ?? '',
    where: locate(pointer),
    builtins,
  });
  const factories = (['policy_factory', 'capability_factory'] as const).flatMap((as) => {
    const text = manifest[as];
    return text === undefined ? [] : [{...entry(text, `/${as}`, false), as}];
  });
  return {
    files,
    dependencies,
    handlers: manifest.tools.map((tool, index) =>
      entry(tool.handler_entry, `/tools/${index}/handler_entry`, tool.handler !== 'in_process'),
    ),
    factories,
    display,
  };
}

function checkIntegrity({pin, pinPointer, request}: PackContents, integrity: string): readonly Problem[] {
  if (pin.integrity === 'dev' || pin.integrity === integrity) return [];
  return [
    {
      code: 'PACK_INTEGRITY_MISMATCH',
      severity: 'error',
      message: `the files of the pack \`${pin.id}\` are not those that were pinned: they hash to ${integrity}, the pin says ${pin.integrity}`,
      where: request.locate(`${pinPointer}/integrity`),
      pointer: `${pinPointer}/integrity`,
      help: `find out what changed; if you want it, pin what \`lumenflow pack hash ${pin.id}\` prints`,
    },
  ];
}

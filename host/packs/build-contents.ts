// Builds the files that a manifest names.
import {buildPack, type BuiltPack} from './build/build-pack.ts';
import type {BundleRequest, PackEntry} from './bundle/bundle-request.ts';
import type {PackContents} from './pack-contents.ts';
import {readDependencies} from './manifest/read-dependencies.ts';
import {entryPath, isProgram} from './manifest/read-manifest.ts';

export async function buildContents(contents: PackContents): Promise<BuiltPack> {
  const declared = await readDependencies(contents.files, contents.display);
  if (!declared.ok) return {problems: [declared.problem]};
  // These entries were reported when the manifest was read; the others are built to find their problems.
  const faulty = new Set(
    contents.read.problems.flatMap(({code, pointer}) => (code.startsWith('PACK_ENTRY_') ? pointer : [])),
  );
  const built = await buildPack(bundleRequest(contents, declared.value, faulty), contents.loader);
  if (faulty.size > 0) return {problems: built.problems};
  return built;
}

function bundleRequest(
  {files, read, display}: PackContents,
  dependencies: ReadonlySet<string>,
  /** Pointers of entries to omit. */
  faulty: ReadonlySet<string | undefined>,
): BundleRequest {
  const {manifest, locate} = read;
  const entry = (text: string, pointer: string, builtins: boolean): PackEntry => ({
    file: entryPath(text) ?? '',
    exportName: text.split('#')[1] ?? '',
    where: locate(pointer),
    builtins,
  });
  const factories = (['policy_factory', 'capability_factory'] as const).flatMap((as) => {
    const text = manifest[as];
    return text === undefined || faulty.has(`/${as}`) ? [] : [{...entry(text, `/${as}`, false), as}];
  });
  return {
    files,
    dependencies,
    handlers: manifest.tools.flatMap((tool, index) => {
      const pointer = `/tools/${index}/handler_entry`;
      const isOmitted = faulty.has(pointer) || isProgram(tool.handler_entry);
      return isOmitted ? [] : [entry(tool.handler_entry, pointer, tool.handler !== 'in_process')];
    }),
    factories,
    display,
  };
}

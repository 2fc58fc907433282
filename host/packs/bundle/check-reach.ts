// Follows the imports of each entry of a pack, to find dependencies that are part of it, and Node's modules, which only
// sandboxed handlers may use.
import type {Problem} from '@lumenflow/kernel';
import type {BuildResult} from 'esbuild';
import {resolve} from 'node:path';
import type {BundleRequest, PackEntry, Wrappers} from './bundle-request.ts';
import {reachFrom, sdkPackage} from './import-boundary.ts';

export function checkReach(
  request: BundleRequest,
  wrappers: Wrappers,
  {metafile}: BuildResult<{metafile: true}>,
  loaders: ReadonlySet<string>,
): {readonly reached: ReadonlySet<string>; readonly problems: readonly Problem[]} {
  const sdkInputs = new Set(
    Object.values(metafile.inputs).flatMap(({imports}) =>
      imports.filter(({original}) => original?.startsWith(sdkPackage)).map(({path}) => path),
    ),
  );
  const reached = new Set<string>();
  const problems: Problem[] = [];
  for (const [name, {entries}] of wrappers) {
    const reach = reachFrom(`wrapper:${name}`, metafile, (input) => sdkInputs.has(input));
    for (const input of reach.inputs) reached.add(input);
    // `process.getBuiltinModule` imports without an import statement.
    const importer = [...reach.inputs].find((input) => loaders.has(resolve(request.files.root, input)));
    const [builtin = importer === undefined ? undefined : {importer, specifier: 'process.getBuiltinModule'}] =
      reach.builtins;
    if (!builtin) continue;
    for (const entry of entries.filter(({builtins}) => !builtins))
      problems.push(builtinReached(request, entry, builtin));
  }
  return {reached, problems};
}

function builtinReached(
  request: BundleRequest,
  entry: PackEntry,
  {importer, specifier}: {importer: string; specifier: string},
): Problem {
  return {
    code: 'PACK_IMPORT_FORBIDDEN',
    severity: 'error',
    message: `\`${entry.exportName}\` of \`${request.display(entry.file)}\` reaches \`${specifier}\`, imported by \`${request.display(importer)}\``,
    where: entry.where,
    help: 'only a tool with `handler: subprocess` may use modules of Node; use the context that the handler is given',
  };
}

// Decides what a pack's own code may import: files of the pack, the SDK, declared dependencies, and Node's modules in a sandbox.
// It checks the imports that esbuild found, so an unusual spelling cannot hide one.
import type {Metafile} from 'esbuild';
import {isBuiltin} from 'node:module';
import {posix} from 'node:path';

export type ImportVerdict =
  | {readonly kind: 'file' | 'dependency' | 'sdk' | 'builtin'}
  | {readonly kind: 'refused'; readonly reason: string};

export const sdkPackage = '@lumenflow/pack-sdk';

/** `importer` is relative to the pack's root, with `/`. */
export function judgeImport(specifier: string, importer: string, dependencies: ReadonlySet<string>): ImportVerdict {
  if (specifier.startsWith('./') || specifier.startsWith('../') || specifier === '.' || specifier === '..') {
    const target = posix.join(posix.dirname(importer), specifier);
    if (target !== '..' && !target.startsWith('../')) return {kind: 'file'};
    return refuse(`\`${specifier}\` leads out of the pack`);
  }
  if (isBuiltin(specifier)) return {kind: 'builtin'};
  if (specifier.startsWith('/')) return refuse(`\`${specifier}\` is an absolute path: use a relative one`);
  if (specifier.startsWith('#'))
    return refuse(`\`${specifier}\` goes through \`imports\` of package.json: use a relative path`);
  if (/^[a-z][a-z0-9+.-]*:/iu.test(specifier))
    return refuse(`\`${specifier}\` is neither a file of the pack nor a dependency`);
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (name === sdkPackage) return {kind: 'sdk'};
  if (dependencies.has(name)) return {kind: 'dependency'};
  return refuse(`\`${name}\` is not among the dependencies in the pack's package.json`);
}

function refuse(reason: string): ImportVerdict {
  return {kind: 'refused', reason};
}

export interface ReachedInputs {
  /** Keys of the metafile's inputs that an entry reaches, without the SDK and its own dependencies. */
  readonly inputs: ReadonlySet<string>;
  readonly builtins: readonly {readonly importer: string; readonly specifier: string}[];
}

/** Follows the import graph from one input. Stops at the SDK, which is the host's own code. */
export function reachFrom(entry: string, metafile: Metafile, isSdk: (input: string) => boolean): ReachedInputs {
  const inputs = new Set([entry]);
  const builtins: {importer: string; specifier: string}[] = [];
  for (const importer of inputs) {
    for (const {path, external} of metafile.inputs[importer]?.imports ?? []) {
      if (external === true) {
        if (isBuiltin(path)) builtins.push({importer, specifier: path});
      } else if (!isSdk(path)) inputs.add(path);
    }
  }
  return {inputs, builtins};
}

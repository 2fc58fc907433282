// Finds variables of the environment that a pack's code names and no tool declares: in a call they are always undefined.
import type {LoadedPack, Problem} from '@lumenflow/kernel';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readPackFiles} from '../packs/files/pack-files.ts';

/** Every process has these, in the sandbox too. */
const always: ReadonlySet<string> = new Set(['HOME', 'LANG', 'NODE_ENV', 'PATH', 'TERM', 'TMPDIR', 'TZ']);
const ownCode = /^(?!.*(?:^|\/)(?:node_modules|dist|tests?)\/)(?!.*\.(?:test|d)\.).*\.[cm]?[jt]s$/u;
/** `process.env.NAME`, `context.env['NAME']`; an assignment is not a read. */
const reads = /\b(?:process|context|ctx)\.env(?:\.([A-Z_][A-Z0-9_]*)|\[['"]([A-Z_][A-Z0-9_]*)['"]\])(?!\s*=[^=])/gu;

/** Positions are relative to the pack. */
export async function checkEnvironment({
  root,
  manifest,
}: Pick<LoadedPack, 'root' | 'manifest'>): Promise<readonly Problem[]> {
  const declared = new Set(manifest.tools.flatMap(({required_env = []}) => required_env));
  const {hashes} = await readPackFiles(root);
  const files = [...hashes.keys()].filter((path) => ownCode.test(path)).toSorted();
  const texts = await Promise.all(files.map(async (path) => ({path, text: await readFile(join(root, path), 'utf8')})));
  return texts.flatMap(({path, text}) =>
    [...text.matchAll(reads)].flatMap((match): readonly Problem[] => {
      const name = match[1] ?? match[2] ?? '';
      if (always.has(name) || declared.has(name)) return [];
      const before = text.slice(0, match.index).split('\n');
      return [
        {
          code: 'PACK_ENV_UNDECLARED',
          severity: 'warning',
          message: `no tool declares the variable \`${name}\`, so it is undefined in every call`,
          where: `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`,
          help: `add \`required_env: [${name}]\` to the tools that read it`,
        },
      ];
    }),
  );
}

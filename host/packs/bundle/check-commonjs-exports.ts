// Checks that a CommonJS entry exports what the manifest names, with the same lexer as Node.
import type {Problem} from '@lumenflow/kernel';
import {init, parse, type Exports} from 'cjs-module-lexer';
import type {Metafile} from 'esbuild';
import type {BundleRequest} from './bundle-request.ts';
import {exportMissing} from './bundle-problems.ts';

export async function checkCommonJsExports(
  request: BundleRequest,
  results: readonly {readonly metafile?: Metafile}[],
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const entry of [...request.handlers, ...request.factories]) {
    const isCommonJs = results.some(({metafile}) => metafile?.inputs[entry.file]?.format === 'cjs');
    if (!isCommonJs) continue;
    const found = await lexExports(new TextDecoder().decode(await request.files.read(entry.file)));
    if (found.reexports.length === 0 && !found.exports.includes(entry.exportName)) {
      problems.push(exportMissing(request, entry));
    }
  }
  return problems;
}

async function lexExports(source: string): Promise<Exports> {
  await init();
  try {
    return parse(source);
  } catch {
    // The lexer reads only plain JavaScript; a file that it cannot read has no named exports.
    return {exports: [], reexports: []};
  }
}

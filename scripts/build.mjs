// Compiles every package into its dist/. `tsc -b` itself skips what is up to date.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

const tsc = join(repository, 'node_modules/typescript/bin/tsc');

/** The projects of the root tsconfig.json that write JavaScript: all but the tests. */
function projects() {
  const {references} = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path).filter((path) => path !== 'test');
}

export function build() {
  // Only the first build takes long enough for somebody to wonder.
  if (!projects().some((path) => existsSync(join(repository, path, 'dist')))) say('building the packages …');
  const exitCode = runQuietly(process.execPath, [tsc, '-b', ...projects()]);
  if (exitCode !== 0) fail('the build failed: the compiler’s messages stand above. Repeat it with: npm run build');
}

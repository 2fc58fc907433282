// Compiles every package into its dist/. `tsc -b` itself skips what is up to date.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

const tsc = join(repository, 'node_modules/typescript/bin/tsc');

/** The projects of the root tsconfig.json that write JavaScript: all but the tests. */
function projects() {
  const {references} = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path).filter((path) => path !== 'test');
}

export function build() {
  const started = Date.now();
  const exitCode = runQuietly(process.execPath, [tsc, '-b', ...projects()]);
  if (exitCode !== 0) fail('the build failed: the compiler’s messages stand above. Repeat it with: npm run build');
  const seconds = (Date.now() - started) / 1000;
  // A build that found everything up to date is not worth a line.
  if (seconds > 2) say(`built the packages (${seconds.toFixed(1)} s)`);
}

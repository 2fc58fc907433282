// Compiles every package into its dist/ (`tsc -b` itself skips what is up to date) and bundles the sandbox's runner.
import {existsSync, readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {fail, repository, runQuietly, say} from './run.mjs';

const tsc = join(repository, 'node_modules/typescript/bin/tsc');
const bundler = join(repository, 'sandbox/bundle-runner.mjs');
const runnerBundle = join(repository, 'sandbox/dist/runner.cjs');

/** The projects of the root tsconfig.json that write JavaScript: all but the tests. */
function projects() {
  const {references} = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path).filter((path) => path !== 'test');
}

async function bundle() {
  // Imported only now: it needs esbuild, which a fresh clone does not have when these scripts are loaded.
  const {bundleRunner} = await import(pathToFileURL(bundler).href);
  // Renamed into place, so that a sandbox starting right now reads a whole file.
  const draft = `${runnerBundle}.${process.pid}`;
  await bundleRunner(draft);
  renameSync(draft, runnerBundle);
}

export async function build() {
  const repeat = 'Repeat it with: npm run build';
  // Only the first build takes long enough for somebody to wonder.
  if (!projects().some((path) => existsSync(join(repository, path, 'dist')))) say('building the packages …');
  const exitCode = runQuietly(process.execPath, [tsc, '-b', ...projects()]);
  if (exitCode !== 0) fail(`the build failed: the compiler’s messages stand above. ${repeat}`);
  await bundle().catch((error) => fail(`the sandbox's runner could not be bundled: ${error.message}\n${repeat}`));
}

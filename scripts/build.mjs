// Compiles every package into its dist/ (`tsc -b` itself skips what is up to date) and bundles the runner.
import {existsSync, readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

const tsc = join(repository, 'node_modules/typescript/bin/tsc');
const esbuild = join(repository, 'node_modules/.bin/esbuild');
const runner = join(repository, 'sandbox/dist/runner/main.js');
const runnerBundle = join(repository, 'sandbox/dist/runner.js');

/** The projects of the root tsconfig.json that write JavaScript: all but the tests. */
function projects() {
  const {references} = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path).filter((path) => path !== 'test');
}

/** One file, because a sandboxed call pays for each module its runner loads, and a sandbox sees no node_modules. */
function bundleRunner() {
  // Renamed into place, so that a sandbox starting right now reads a whole file.
  const draft = `${runnerBundle}.${process.pid}`;
  const options = ['--bundle', '--platform=node', '--format=esm', '--target=node20.19', '--log-level=warning'];
  const exitCode = runQuietly(esbuild, [runner, ...options, `--outfile=${draft}`]);
  if (exitCode === 0) renameSync(draft, runnerBundle);
  return exitCode;
}

export function build() {
  // Only the first build takes long enough for somebody to wonder.
  if (!projects().some((path) => existsSync(join(repository, path, 'dist')))) say('building the packages …');
  let exitCode = runQuietly(process.execPath, [tsc, '-b', ...projects()]);
  if (exitCode === 0 && existsSync(runner)) exitCode = bundleRunner();
  if (exitCode !== 0) fail('the build failed: the messages stand above. Repeat it with: npm run build');
}

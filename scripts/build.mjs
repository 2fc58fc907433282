// Compiles every package into its dist/ (`tsc -b` itself skips what is up to date) and bundles what runs elsewhere: in sandboxes, in browsers.
import {copyFileSync, existsSync, readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {fail, repository, runQuietly, say} from './run.mjs';

const tsc = join(repository, 'node_modules/typescript/bin/tsc');
const esbuild = join(repository, 'node_modules/.bin/esbuild');
/** The programs that are started separately, by the name of their bundle. */
const programs = {
  runner: 'sandbox/runner/main.ts',
  'network-holder': 'sandbox/network/holder/main.ts',
  'wasm-thread': 'sandbox/wasm/thread/main.ts',
  'vm-agent': 'sandbox/vm/guest/main.ts',
  'container-agent': 'sandbox/container-agent/main.ts',
};

/** The projects of the root tsconfig.json that write JavaScript: all but the tests. */
function projects() {
  const {references} = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path).filter((path) => path !== 'test');
}

/** One file of CommonJS: a sandbox mounts and loads it at every cold start, and sees no node_modules and no package.json. */
function bundleProgram([name, entry]) {
  const bundle = join(repository, 'sandbox/dist', `${name}.cjs`);
  // Renamed into place, so that a sandbox starting right now reads a whole file.
  const draft = `${bundle}.${process.pid}`;
  const format = ['--platform=node', '--format=cjs', '--target=node20.19', '--conditions=@lumenflow/source'];
  const quiet = ['--legal-comments=none', '--log-level=warning'];
  const exitCode = runQuietly(esbuild, [
    join(repository, entry),
    '--bundle',
    ...format,
    ...quiet,
    `--outfile=${draft}`,
  ]);
  if (exitCode === 0) renameSync(draft, bundle);
  return exitCode;
}

/** What runs beside the MCP server of a pin in its sandbox: a pack of one file, which imports nothing. */
function bundleUpstream() {
  return runQuietly(esbuild, [
    join(repository, 'host/upstream-mcp/in-sandbox/index.ts'),
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--target=node20.19',
    '--conditions=@lumenflow/source',
    // For the CommonJS that the SDK's client brings.
    "--banner:js=import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);",
    '--legal-comments=none',
    '--log-level=warning',
    `--outfile=${join(repository, 'host/dist/upstream-mcp/upstream.js')}`,
  ]);
}

/** What runs code inside a sandbox: a pack of one file. */
function bundleCodeRunner() {
  return runQuietly(esbuild, [
    join(repository, 'host/exec/code/sandboxed/run-code.ts'),
    '--bundle',
    '--platform=node',
    '--format=cjs',
    '--target=node20.19',
    '--conditions=@lumenflow/source',
    '--log-level=warning',
    `--outfile=${join(repository, 'host/dist/exec/code-in-sandbox/run-code.cjs')}`,
  ]);
}

/** The dashboard's page: one script, and what it needs beside it. */
function bundleDashboard() {
  const client = join(repository, 'host/dashboard/client');
  const assets = join(repository, 'host/dist/dashboard/assets');
  const format = ['--format=esm', '--target=es2023', '--conditions=@lumenflow/source', '--jsx=automatic'];
  const exitCode = runQuietly(esbuild, [
    join(client, 'dashboard.tsx'),
    join(client, 'dashboard.css'),
    '--bundle',
    '--minify',
    '--jsx-import-source=preact',
    '--legal-comments=none',
    '--log-level=warning',
    ...format,
    `--outdir=${assets}`,
  ]);
  if (exitCode === 0) copyFileSync(join(client, 'index.html'), join(assets, 'index.html'));
  return exitCode;
}

export function build() {
  // Only the first build takes long enough for somebody to wonder.
  if (!projects().some((path) => existsSync(join(repository, path, 'dist')))) say('building the packages …');
  const failed =
    Object.entries(programs).some((program) => bundleProgram(program) !== 0) ||
    bundleUpstream() !== 0 ||
    bundleCodeRunner() !== 0 ||
    bundleDashboard() !== 0 ||
    runQuietly(process.execPath, [tsc, '-b', ...projects()]) !== 0 ||
    runQuietly(process.execPath, [join(repository, 'host/dist/bundle-program.js')]) !== 0;
  if (failed) fail('the build failed: see the messages above. Repeat it with: npm run build');
}

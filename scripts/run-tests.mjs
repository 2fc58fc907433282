// Runs vitest under a given Node and counts the results for the closing line, `N passed, N failed`.
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, relative} from 'node:path';
import {repository, runForeground, say} from './run.mjs';

/** What `npm test` runs, and what it leaves to `npm run test:long` and `test:engines`: arguments for vitest. */
export const suites = {
  usual: ['--project=shared', '--project=isolated'],
  long: ['--project=long'],
  // One file at a time, as vitest.config.ts says.
  engines: ['--project=engines'],
};

/** More files than these do not fail because a machine was busy. */
const repeatedMax = 10;

/** How many slow files are named after a run. */
const slowestMax = 12;
const slowMs = 20_000;

/** The result of each file, and whether there were errors outside of any test; undefined if vitest did not finish. */
function readResult(resultFile) {
  if (!existsSync(resultFile)) return undefined;
  const {files, strays} = JSON.parse(readFileSync(resultFile, 'utf8'));
  const read = files.map(readFile);
  // The end of a process is such an error too, and its file has failed already.
  return {files: read, hasStrays: strays > read.filter(({hasEnded}) => hasEnded).length};
}

function readFile({name, ms, tests, why}) {
  const path = relative(repository, name);
  // Only the end of its process leaves a test without a result, or a file without tests and without an error.
  const unfinished = tests.filter(({state}) => state === 'pending');
  const hasEnded = unfinished.length > 0 || (tests.length === 0 && why === undefined);
  const failed = tests
    .filter(({state}) => state === 'failed')
    .map((test) => ({title: `${path} > ${test.title}`, why: test.why ?? ''}));
  // One end of a process is one failure, however many tests it leaves without a result.
  if (hasEnded)
    failed.push({title: [path, ...unfinished.slice(0, 1).map(({title}) => title)].join(' > '), why: endedBefore});
  // A file that cannot be loaded has no tests to count, and must not vanish from the sum.
  else if (failed.length === 0 && why !== undefined) failed.push({title: path, why});
  const count = (state) => tests.filter((test) => test.state === state).length;
  return {name, ms, passed: count('passed'), failed, skipped: count('skipped'), hasEnded};
}

/** The slowest files decide how long a suite takes. */
function saySlowest(files) {
  const slow = files.filter(({ms}) => ms >= slowMs).toSorted((one, other) => other.ms - one.ms);
  for (const {name, ms} of slow.slice(0, slowestMax)) {
    say(`slow file, ${Math.round(ms / 1_000)} s: ${relative(repository, name)}`);
  }
}

const endedBefore = 'its process ended before it';

function countTests(result, exitCode, unsteady = 0) {
  if (result === undefined) return {passed: 0, failed: 1, skipped: 0};
  const sum = (count) => result.files.reduce((total, file) => total + count(file), 0);
  const failed = sum((file) => file.failed.length) + (result.hasStrays ? 1 : 0);
  return {
    passed: sum((file) => file.passed) - unsteady,
    // No test found at all fails the run too.
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: sum((file) => file.skipped),
    unsteady,
  };
}

/** The plain closing line: `N passed, N failed`, then what was skipped and what was unsteady, if anything was. */
export function closingLine({passed, failed, skipped, unsteady = 0}) {
  const rest = Object.entries({skipped, unsteady}).filter(([, count]) => count > 0);
  return [`${passed} passed`, `${failed} failed`, ...rest.map(([name, count]) => `${count} ${name}`)].join(', ');
}

/** Programs that tests start by the name `node` get the same one. */
async function runVitest(node, args) {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-test-result-'));
  const resultFile = join(folder, 'result.json');
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const env = {...process.env, PATH: path, LUMENFLOW_BUILT: '1', LUMENFLOW_TEST_RESULT: resultFile};
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'result-reporter.mjs')}`];
  try {
    const exitCode = await runForeground(node, [vitest, 'run', ...reporters, ...args], env);
    const result = readResult(resultFile);
    saySlowest(result?.files ?? []);
    return {exitCode, result};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/**
 * Runs vitest under `node` and returns the exit code and the closing line. Without `args` it runs `suite`, or
 * those of its files that are in `folders`, and runs a few files that failed once more, alone. A test that then passes is unsteady: it is
 * named, and counted apart.
 */
export async function runTests(node, {suite, folders = [], args}) {
  const isWhole = args.length === 0;
  const {exitCode, result} = await runVitest(node, isWhole ? [...suite, ...folders] : args);
  const failing = result?.files.filter((file) => file.failed.length > 0) ?? [];
  if (!isWhole || failing.length === 0 || failing.length > repeatedMax) {
    return {exitCode, line: closingLine(countTests(result, exitCode))};
  }
  const before = failing.flatMap((file) => file.failed);
  for (const {title, why} of before) say(`failed, its file is repeated alone: ${title}: ${why}`);
  const again = await runVitest(node, [...failing.map(({name}) => name), '--maxWorkers=1']);
  const still = (again.result?.files.flatMap((file) => file.failed) ?? before).map(({title}) => title);
  const unsteady = before.filter(({title}) => !still.includes(title));
  for (const {title, why} of unsteady) say(`unsteady, it failed at first and passed alone: ${title}: ${why}`);
  const counted = again.result && {
    files: [...result.files.filter((file) => !failing.includes(file)), ...again.result.files],
    hasStrays: result.hasStrays || again.result.hasStrays,
  };
  // An error outside of any test is repeated with no file.
  const endCode = result.hasStrays ? exitCode : again.exitCode;
  return {exitCode: endCode, line: closingLine(countTests(counted, endCode, unsteady.length))};
}

/**
 * Ends this program with the closing line of `work`, which returns the result of `runTests`, or undefined if there was none. An
 * end before the tests are counted is one failure.
 */
export async function endWithTests(work) {
  let line = closingLine({passed: 0, failed: 1, skipped: 0});
  process.on('exit', () => console.log(line));
  const tests = await work();
  line = tests?.line ?? line;
  process.exitCode = tests?.exitCode ?? 1;
}

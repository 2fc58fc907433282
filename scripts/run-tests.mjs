// Runs vitest under a given Node and counts the results for the closing line, `N passed, N failed`.
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, relative} from 'node:path';
import {repository, runForeground, say} from './run.mjs';

/** What `npm test` runs, and what it leaves to `npm run test:long` and `test:engines`: arguments for vitest. */
export const suites = {
  usual: ['--project=shared', '--project=isolated'],
  long: ['--project=long'],
  // One file at a time: each starts engines or machines that need the whole computer.
  engines: ['--project=engines', '--maxWorkers=1'],
};

/** More files than these do not fail because a machine was busy. */
const repeatedMax = 10;

/** The result of each file; undefined if vitest did not finish. */
function readResult(resultFile) {
  if (!existsSync(resultFile)) return undefined;
  return JSON.parse(readFileSync(resultFile, 'utf8')).testResults.map(({name, status, assertionResults}) => {
    const path = relative(repository, name);
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({title: `${path} > ${test.fullName}`, why: test.failureMessages[0]?.split('\n', 1)[0] ?? ''}));
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    return {
      name,
      passed,
      // A file that cannot be loaded has no tests to count, and must not vanish from the sum.
      failed: failed.length === 0 && status === 'failed' ? [{title: path, why: 'could not be run'}] : failed,
      skipped: assertionResults.length - passed - failed.length,
    };
  });
}

function countTests(files, exitCode, unsteady = 0) {
  if (files === undefined) return {passed: 0, failed: 1, skipped: 0};
  const sum = (count) => files.reduce((total, file) => total + count(file), 0);
  const failed = sum((file) => file.failed.length);
  return {
    passed: sum((file) => file.passed) - unsteady,
    // An error outside of any test, or no test found at all, fails the run too.
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
  const env = {...process.env, PATH: path, LUMENFLOW_BUILT: '1'};
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`];
  try {
    const exitCode = await runForeground(node, [vitest, 'run', ...reporters, ...args], env);
    return {exitCode, files: readResult(resultFile)};
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
  const {exitCode, files} = await runVitest(node, isWhole ? [...suite, ...folders] : args);
  const failing = files?.filter((file) => file.failed.length > 0) ?? [];
  if (!isWhole || failing.length === 0 || failing.length > repeatedMax) {
    return {exitCode, line: closingLine(countTests(files, exitCode))};
  }
  const before = failing.flatMap((file) => file.failed);
  for (const {title, why} of before) say(`failed, its file is repeated alone: ${title}: ${why}`);
  const again = await runVitest(node, [...failing.map(({name}) => name), '--maxWorkers=1']);
  const still = (again.files?.flatMap((file) => file.failed) ?? before).map(({title}) => title);
  const unsteady = before.filter(({title}) => !still.includes(title));
  for (const {title, why} of unsteady) say(`unsteady, it failed at first and passed alone: ${title}: ${why}`);
  const steady = files.filter((file) => !failing.includes(file));
  const counted = again.files === undefined ? undefined : [...steady, ...again.files];
  return {exitCode: again.exitCode, line: closingLine(countTests(counted, again.exitCode, unsteady.length))};
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

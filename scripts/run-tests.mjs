// Runs vitest under a given Node and prints the result as the one plain line `N passed, N failed`.
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, relative} from 'node:path';
import {repository, runForeground, say} from './run.mjs';

/** What `npm run test:long` runs, and `npm test` leaves to it. */
export const longTests = ['test/acceptance/delivery/', 'test/acceptance/agent/', 'test/acceptance/docs.test.ts'];

/** More files than these do not fail because a machine was busy. */
const repeatedMax = 10;

/** What came of each file; undefined when vitest did not come to its end. */
function readResult(resultFile) {
  if (!existsSync(resultFile)) return undefined;
  return JSON.parse(readFileSync(resultFile, 'utf8')).testResults.map(({name, status, assertionResults}) => {
    const titles = (wanted) =>
      assertionResults
        .filter((test) => wanted(test.status))
        .map((test) => `${relative(repository, name)} > ${test.fullName}`);
    const failed = titles((outcome) => outcome === 'failed');
    return {
      name,
      passed: titles((outcome) => outcome === 'passed').length,
      // A file that cannot be loaded has no tests to count, and must not vanish from the sum.
      failed: failed.length === 0 && status === 'failed' ? [`${relative(repository, name)} could not be run`] : failed,
      skipped: titles((outcome) => outcome !== 'failed' && outcome !== 'passed').length,
    };
  });
}

function countTests(files, exitCode) {
  if (files === undefined) return {passed: 0, failed: 1, skipped: 0};
  const sum = (count) => files.reduce((total, file) => total + count(file), 0);
  const failed = sum((file) => file.failed.length);
  return {
    passed: sum((file) => file.passed),
    // An error outside of any test, or no test found at all, fails the run too.
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: sum((file) => file.skipped),
  };
}

/** The plain closing line. */
export function closingLine({passed, failed, skipped}) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Programs that tests start by the name `node` get the same one. */
async function runVitest(node, args) {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-test-result-'));
  const resultFile = join(folder, 'result.json');
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const env = {...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`};
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`];
  try {
    const exitCode = await runForeground(node, [vitest, 'run', ...reporters, ...args], env);
    return {exitCode, files: readResult(resultFile)};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/**
 * Runs vitest with these arguments under `node`; returns the exit code and the closing line. Of a whole run a few files
 * that failed are repeated alone: what then passes had failed for want of a busy machine's time. It is told by name.
 */
export async function runTests(node, args) {
  const isWhole = args.length === 0;
  const leftOut = longTests.flatMap((path) => ['--exclude', path.endsWith('/') ? `${path}**` : path]);
  const {exitCode, files} = await runVitest(node, isWhole ? leftOut : args);
  const failing = files?.filter((file) => file.failed.length > 0) ?? [];
  if (!isWhole || failing.length === 0 || failing.length > repeatedMax) {
    return {exitCode, line: closingLine(countTests(files, exitCode))};
  }
  const before = failing.flatMap((file) => file.failed);
  say(`${before.length} tests failed; their files are repeated alone:\n  ${before.join('\n  ')}`);
  const again = await runVitest(node, [...failing.map(({name}) => name), '--maxWorkers=1']);
  const still = again.files?.flatMap((file) => file.failed) ?? before;
  const unsteady = before.filter((title) => !still.includes(title));
  if (unsteady.length > 0)
    say(`${unsteady.length} tests failed at first and passed alone:\n  ${unsteady.join('\n  ')}`);
  const steady = files.filter((file) => !failing.includes(file));
  const counted = again.files === undefined ? undefined : [...steady, ...again.files];
  return {exitCode: again.exitCode, line: closingLine(countTests(counted, again.exitCode))};
}

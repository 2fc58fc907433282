// Runs vitest under a given Node and prints the result as the one plain line `N passed, N failed`.
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {repository, runForeground} from './run.mjs';

function countTests(resultFile, exitCode) {
  if (!existsSync(resultFile)) return {passed: 0, failed: 1, skipped: 0};
  const result = JSON.parse(readFileSync(resultFile, 'utf8'));
  // A file that cannot be loaded has no tests to count, and must not vanish from the sum.
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed = result.numFailedTests + brokenFiles.length;
  return {
    passed: result.numPassedTests,
    // An error outside of any test, or no test found at all, fails the run too.
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

/** The plain closing line. */
export function closingLine({passed, failed, skipped}) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Runs vitest with these arguments under `node`; programs that tests start by the name `node` get the same one. Returns the exit code and the closing line. */
export async function runTests(node, args) {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-test-result-'));
  const resultFile = join(folder, 'result.json');
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const env = {...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`};
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`];
  try {
    const exitCode = await runForeground(node, [vitest, 'run', ...reporters, ...args], env);
    return {exitCode, line: closingLine(countTests(resultFile, exitCode))};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

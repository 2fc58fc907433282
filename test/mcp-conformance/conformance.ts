// MCP's official conformance suite, with the requirements of each revision of the protocol. There is no list of expected failures.
// Afterwards, every call of the suite must be in the evidence, decided and finished.
import {execFile} from 'node:child_process';
import {parseArgs} from 'node:util';
import {judgeEvidence} from './judge-evidence.ts';
import {serveFixture} from './serve-fixture.ts';
import {readVerdicts} from './verdicts.ts';

const {values} = parseArgs({
  options: {
    node: {type: 'string'},
    suite: {type: 'string'},
    scenario: {type: 'string'},
    verbose: {type: 'boolean', default: false},
  },
});
const {node = process.execPath, suite = '', scenario} = values;
/** One of each era: with a handshake, and with each request speaking for itself. */
const revisions = ['2025-11-25', '2026-07-28'];

interface Run {
  readonly text: string;
  readonly isPassed: boolean;
}

async function run(url: string, revision: string): Promise<Run> {
  const selected = scenario === undefined ? ['--requirements', revision] : ['--spec-version', revision];
  const one = scenario === undefined ? [] : ['--scenario', scenario];
  const args = [suite, 'server', '--url', url, ...selected, ...one, ...(values.verbose ? ['--verbose'] : [])];
  return await new Promise((resolve) => {
    execFile(node, args, {maxBuffer: 64 * 1024 * 1024}, (error, stdout, stderr) =>
      resolve({text: stdout + stderr, isPassed: error === null}),
    );
  });
}

const fixture = await serveFixture();
const sum = {passed: 0, failed: 0};
try {
  for (const revision of revisions) {
    const {text, isPassed} = await run(fixture.url, revision);
    const {passed, failed, notScored} = readVerdicts(text);
    // Failures are printed in full, and so is any other reason for an early end.
    if (!isPassed || values.verbose || scenario !== undefined) process.stdout.write(`${text}\n`);
    process.stdout.write(`${revision}: ${passed.length} required scenarios passed, ${failed.length} failed\n`);
    for (const line of notScored) process.stdout.write(`  not required: ${line}\n`);
    sum.passed += passed.length;
    sum.failed += isPassed ? failed.length : Math.max(failed.length, 1);
  }
  if (scenario === undefined) {
    const {calls, problems} = await judgeEvidence(fixture.host);
    process.stdout.write(`${calls} calls are in the evidence\n${problems.map((problem) => `${problem}\n`).join('')}`);
    sum.failed += problems.length;
  }
} finally {
  await fixture.close();
}
if (sum.passed === 0) sum.failed = Math.max(sum.failed, 1);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
if (sum.failed > 0) process.exitCode = 1;

// `npm run crash`: crashes the runtime in every way it can, and reports at how many points all invariants were kept.
import type {CrashPoint, CrashSuite} from './crash-point.ts';
import {tapFileSystem} from './tap-file-system.ts';
import {commandOptions} from '../support/command-options.ts';
import {resultTable, suiteResult, type SuiteResult} from './suite-result.ts';

// Before the packages under test are loaded: they keep what they import.
const tap = tapFileSystem();
const suites: Readonly<Record<string, () => Promise<CrashSuite>>> = {
  kill: async () => (await import('./kill-points.ts')).killPoints,
  prefixes: async () => (await import('./prefix-points.ts')).prefixPoints,
  faults: async () => (await import('./fault-points.ts')).faultPoints,
  several: async () => (await import('./several-processes-points.ts')).severalProcessesPoints,
  hosts: async () => (await import('./hosts-points.ts')).hostsPoints,
  engine: async () => (await import('./engine-points.ts')).enginePoints,
  archiving: async () => (await import('./archiving-points.ts')).archivingPoints,
  changes: async () => (await import('./interrupted-changes-points.ts')).interruptedChangesPoints,
};

const flag = {type: 'boolean', default: false} as const;
const usage = `npm run crash -- [suite …]   all suites without any: ${Object.keys(suites).join(', ')}
  --seed N     repeats a run
  --rounds N   as many runs, with the seeds after it
  --quick      a small share: under a minute
  --share X    another share, of 1
  --json       the result for programs
Exits with 1 when a point did not hold.
`;
const {values, positionals} = commandOptions(usage, {
  options: {
    seed: {type: 'string', default: String(Date.now() % 2 ** 31)},
    rounds: {type: 'string', default: '1'},
    share: {type: 'string'},
    quick: flag,
    json: flag,
  },
  allowPositionals: true,
});
const [seed, rounds, share] = [values.seed, values.rounds, values.share ?? (values.quick ? '0.04' : '1')].map(Number);
const unknown = positionals.find((name) => !(name in suites));
const problem =
  unknown === undefined
    ? seed === undefined || rounds === undefined || !Number.isSafeInteger(seed + rounds) || !(Number(share) > 0)
      ? '`--seed` and `--rounds` are whole numbers, `--share` is a number over 0'
      : undefined
    : `there is no suite \`${unknown}\`: name some of ${Object.keys(suites).join(', ')}`;
if (problem !== undefined || seed === undefined || rounds === undefined || share === undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

process.stderr.write(`seed ${seed}\n`);
const results: SuiteResult[] = [];
for (const [name, load] of Object.entries(suites)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const suite = await load();
  const points: CrashPoint[] = [];
  const started = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    for await (const point of suite({seed: seed + round, share, tap})) {
      points.push(point);
      if (point.problems.length > 0) process.stderr.write(failureText(name, seed + round, point));
    }
  }
  const result = suiteResult(name, points, (performance.now() - started) / 1_000);
  process.stderr.write(`${name}: ${result.passed} of ${result.tried} points passed\n`);
  results.push(result);
}

const holds = results.every(({failed}) => failed.length === 0);
if (values.json)
  process.stdout.write(`${JSON.stringify({seed, rounds, share, holds, suites: results}, undefined, 2)}\n`);
else
  process.stdout.write(
    `\n${resultTable(results)}\n\nseed ${seed}${rounds > 1 ? ` and the ${rounds - 1} after it` : ''}\n`,
  );
if (!holds) process.exitCode = 1;

function failureText(suite: string, seed: number, {name, problems}: CrashPoint): string {
  const more = problems.length > 5 ? [`and ${problems.length - 5} more`] : [];
  return [
    `FAILED ${suite} (seed ${seed}): ${name}`,
    ...[...problems.slice(0, 5), ...more].map((text) => `  ${text}`),
    '',
  ].join('\n');
}

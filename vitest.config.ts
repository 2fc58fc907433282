// Unit tests are beside the code and run on the sources; tests that cross packages are in test/.
import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

// Other packages come from their sources, so that nothing has to be built while one works. `npm test` has just built them:
// then they are what is published, and Node loads them itself, in half the time.
const isBuilt = process.env['LUMENFLOW_BUILT'] === '1';
const conditions = [...(isBuilt ? [] : ['@lumenflow/source']), 'node'];

const isBounded = process.env['LUMENFLOW_BOUNDED'] === '1';

/** These tests read files: neither the user nor Node's version can change their results. */
const tidy = process.env['LUMENFLOW_WITHOUT_TIDY'] === '1' ? ['test/tidy/**'] : [];

const noTests = ['**/node_modules/**', '**/dist/**', 'test/escape/**', 'test/crash/**', ...tidy];
/** Files that take more than five seconds: `npm run test:long`. */
const long = ['**/*.long.test.ts'];
/** Files that start container engines and virtual machines: `npm run test:engines`. */
const engines = ['**/*.engines.test.ts'];
/** Tests that change their process. All others share it between files, so that what they import is loaded once. */
const isolated = [
  '{pack-sdk,scripts}/**/*.test.ts',
  'test/acceptance/kernel/runtime.test.ts',
  'test/acceptance/host/durability.test.ts',
];

/** They take minutes: one that began last would run alone. Vitest knows no durations on a fresh clone. */
const longest = ['docs', 'programs/ordinary-programs', 'exec/killed-programs', 'delivery/two-agents', 'published'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({moduleId}: TestSpecification): boolean =>
      longest.some((name) => moduleId.endsWith(`acceptance/${name}.long.test.ts`));
    const others = files.filter((file) => !isLong(file));
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    return [...files.filter(isLong), ...(await super.sort(others))];
  }
}

/**
 * Against what hangs: on a busy machine starting a host alone can take a minute. On another backend, each of the dozens of calls of a
 * test can take seconds, or a minute in a virtual machine.
 */
const limitMs = process.env['LUMENFLOW_TEST_BACKEND'] === undefined ? 180_000 : 3_600_000;

export default defineConfig({
  resolve: {conditions},
  ssr: {resolve: {conditions}},
  test: {
    // What the issuer of tests says about running in production.
    onConsoleLog: (log) => (log.startsWith('oidc-provider ') ? false : undefined),
    setupFiles: process.env['LUMENFLOW_PROPERTY_SEED'] === undefined ? [] : ['test/support/property-runs.ts'],
    globalSetup: ['test/support/kept-builds.ts'],
    // Many tests wait for processes: two files at a time, also on two cores.
    maxWorkers: 2,
    ...(isBuilt && {server: {deps: {external: [/\/(?:dist|generated)\//]}}}),
    sequence: {sequencer: LongestFirst},
    // Against what hangs, like the limits below: vitest's own second is too short for a busy machine.
    expect: {poll: {timeout: 60_000}},
    testTimeout: limitMs,
    hookTimeout: limitMs,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['**/*.test.ts'],
          exclude: [...noTests, ...long, ...engines, ...isolated],
          isolate: false,
        },
      },
      {extends: true, test: {name: 'isolated', include: isolated, exclude: [...noTests, ...long, ...engines]}},
      {extends: true, test: {name: 'long', include: long, exclude: noTests}},
      {
        extends: true,
        // One file at a time: each starts engines or machines that need the whole computer. The bounded form leaves out the largest, and
        // runs two. The group allows another number of workers.
        test: {
          name: 'engines',
          include: engines,
          exclude: noTests,
          maxWorkers: isBounded ? 2 : 1,
          sequence: {groupOrder: 1},
        },
      },
    ],
  },
});

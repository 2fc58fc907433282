// Unit tests stand beside the code and run on the sources; what crosses packages is under test/ and runs on built packages.
import {defineConfig} from 'vitest/config';

// As Node itself, and our own packages from their sources where a test is inside of one.
const conditions = ['@lumenflow/source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: {conditions},
  ssr: {resolve: {conditions}},
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'test/escape/**', 'test/crash/**'],
    setupFiles: process.env['LUMENFLOW_PROPERTY_SEED'] === undefined ? [] : ['test/support/property-runs.ts'],
    // Many tests wait for processes: two files at a time, on two cores as well.
    maxWorkers: 2,
    // Against what hangs: on a busy machine starting a host alone can take a minute.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});

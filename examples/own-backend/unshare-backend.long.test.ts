// The suite that every backend passes. A case that does not apply is skipped with its reason.
import {matchesGlob} from 'node:path';
import {runBackendConformance} from '@lumenflow/sandbox/conformance';
import {describe, test} from 'vitest';
import {createUnshareBackend} from './create-unshare-backend.ts';

const report = await createUnshareBackend().probe();

describe.skipIf(!report.available)('unshare (`apt-get install util-linux`)', () => {
  runBackendConformance({
    newBackend: createUnshareBackend,
    register: (name, run) => test(name, run),
    registerSkipped: (name, reason) => test.skip(`${name} (${reason})`),
    compilePattern: (pattern) => (path) => matchesGlob(path, pattern),
    skip: [
      {
        reason: 'it does not confine files',
        cases: [
          'what is granted can be read and written, and nothing else',
          'a folder can be written inside another that can only be read',
          'files with secrets are hidden inside every grant',
          'the system can be read, and not written',
        ],
      },
      {reason: 'it has no network', cases: ['an allowlist refuses what it does not list, at once']},
    ],
  });
});

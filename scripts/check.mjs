// Everything but the tests: generated files, format, lint, unused code, types. Stops at the first that fails.
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {prepare} from './prepare.mjs';
import {repository, runQuietly, say} from './run.mjs';

const checks = [
  {
    name: 'generated files',
    program: 'tsx/dist/cli.mjs',
    args: ['schemas/generate.ts', '--check'],
    mend: 'npm run generate',
  },
  {name: 'format', program: 'oxfmt/bin/oxfmt', args: ['--check', '.'], mend: 'npm run format'},
  {name: 'lint', program: 'oxlint/bin/oxlint', args: ['--type-aware', '--deny-warnings'], mend: 'npm run lint'},
  {
    name: 'unused code',
    program: 'knip/bin/knip.js',
    args: ['--no-progress', '--treat-config-hints-as-errors'],
    mend: 'npx knip',
  },
  {name: 'types', program: 'typescript/bin/tsc', args: ['-b'], mend: 'npx tsc -b'},
  {
    name: 'page types',
    program: 'typescript/bin/tsc',
    args: ['-p', 'host/dashboard/client'],
    mend: 'npx tsc -p host/dashboard/client',
  },
];

/** Runs the checks in order. Returns false after the first that fails, having said which and how to repeat or mend it. */
export function check() {
  for (const {name, program, args, mend} of checks) {
    const started = Date.now();
    const exitCode = runQuietly(process.execPath, [join(repository, 'node_modules', program), ...args]);
    if (exitCode !== 0) {
      say(`\ncheck failed: ${name} (see its messages above). Repeat or fix it with: ${mend}`);
      return false;
    }
    say(`checked ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  }
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  prepare({sandboxRequired: false});
  if (!check()) process.exitCode = 1;
}

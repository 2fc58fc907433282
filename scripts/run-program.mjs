// `npm start`, `npm run bench`, `npm run crash`, `npm run backends` and `npm run escape`: prepares what the program needs, then runs it. Further
// arguments go to the program.
import {join} from 'node:path';
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';

const programs = {
  start: {path: 'examples/first-session/session.ts', sandboxRequired: true},
  bench: {path: 'test/bench/bench.ts', sandboxRequired: true},
  crash: {path: 'test/crash/crash.ts', sandboxRequired: false},
  backends: {path: 'test/backends/backends.ts', sandboxRequired: true},
  escape: {path: 'test/escape/escape.ts', sandboxRequired: true},
};
const [name, ...args] = process.argv.slice(2);
const {path, sandboxRequired} = programs[name];

prepare({sandboxRequired});
process.exitCode = await runForeground(process.execPath, ['--import', 'tsx', join(repository, path), ...args]);

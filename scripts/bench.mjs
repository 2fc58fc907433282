// `npm run bench`: prepares what is needed, then measures. Arguments go to the bench.
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';
import {join} from 'node:path';

prepare({sandboxRequired: true});
const bench = join(repository, 'test/bench/bench.ts');
process.exitCode = await runForeground(process.execPath, ['--import', 'tsx', bench, ...process.argv.slice(2)]);

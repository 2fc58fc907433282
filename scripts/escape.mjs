// `npm run escape`: prepares what is needed, then attacks it. Arguments go to the escape suite.
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';
import {join} from 'node:path';

prepare({sandboxRequired: true});
const escape = join(repository, 'test/escape/escape.ts');
process.exitCode = await runForeground(process.execPath, ['--import', 'tsx', escape, ...process.argv.slice(2)]);

// `npm run crash`: prepares what is needed, then crashes it. Arguments go to the crash suite.
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';
import {join} from 'node:path';

prepare({sandboxRequired: false});
const crash = join(repository, 'test/crash/crash.ts');
process.exitCode = await runForeground(process.execPath, ['--import', 'tsx', crash, ...process.argv.slice(2)]);

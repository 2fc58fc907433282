// `npm start`: prepares what is needed, then plays the first session. Arguments go to the session.
import {prepare} from './prepare.mjs';
import {repository, runForeground} from './run.mjs';
import {join} from 'node:path';

prepare({sandboxRequired: true});
const session = join(repository, 'examples/first-session/session.ts');
process.exitCode = await runForeground(process.execPath, ['--import', 'tsx', session, ...process.argv.slice(2)]);

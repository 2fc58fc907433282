// A host as a separate process, for tests that kill it: it starts a command that lasts, and prints once it runs.
import {createBackend} from './create-backend.ts';
import {commandRequest} from './command-request.fixture.ts';

const [agentPath = '', image = ''] = process.argv.slice(2);
const runner = {nodePath: process.execPath, runnerPath: '', runtimePaths: [], argv: () => []};
const backend = createBackend({runner, agentPath}, {image});
const started = await backend.start(commandRequest('sleep', '600'));
process.stdout.write(`${started.ok ? 'started' : started.problem.message}\n`);

// The agent in a container that mounts nothing of the host: it is loaded through its own input, unpacks files at their own paths,
// starts the program of the call and carries its streams. The container ends with it.
import {runAgent} from '../guest/agent/run-agent.ts';
import {startProgram} from './start-program.ts';

/** Of the container: it ends all others. */
const firstProcess = 1;

// A stream that was closed: the host no longer needs the container, or was killed.
void runAgent({
  input: process.stdin,
  output: process.stdout,
  files: {folder: '/', staging: '/tmp/.lumenflow-arriving', sealsReadOnly: true},
  startProgram,
}).then((end) => end === 'closed' && process.kill(firstProcess, 'SIGTERM'));

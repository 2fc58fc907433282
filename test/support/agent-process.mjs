// A program that carries out a session of an agent on the built host, and is killed once at each event that `killAt`
// names, as a crash would. What it has been killed at is kept in a file, so that its successor gets further.
import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import {resumeAgentSession, startAgentSession, startHost} from '@lumenflow/host';

const {root, session_id, killAt, killed, decisions} = JSON.parse(process.argv[2]);
const host = await startHost({workspaceRoot: root, threads: 1, warmSandboxes: false});
const done = existsSync(killed) ? readFileSync(killed, 'utf8').split('\n') : [];
let turn = 0;

function onEvent(event) {
  turn = event.turn_index ?? turn;
  const point = `${event.type} ${turn}`;
  if (!killAt.includes(point) || done.includes(point)) return;
  appendFileSync(killed, `${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

const exists = (await host.runtime.inspectTask(session_id)).success;
const run = exists
  ? await resumeAgentSession(host, {by: 'agent', session_id, ...(decisions && {decisions})}, {onEvent})
  : await startAgentSession(host, {by: 'agent', session_id, task: 'Add ten lines'}, {onEvent});
process.stdout.write(JSON.stringify(run));
await host.close();

// Runs a program on the built host, or resumes it, and is killed once at each event of its steps, as a crash would. What it has been
// killed at is kept in a file, so that its successor gets further.
import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import {startHost} from '@lumenflow/host';
import {isRunId, resumeProgram, runProgram} from '@lumenflow/host/exec';

const {root, file, text, killed, answers = []} = JSON.parse(process.argv[2]);
const host = await startHost({workspaceRoot: root, threads: 1, warmSandboxes: false});
const done = existsSync(killed) ? readFileSync(killed, 'utf8').split('\n') : [];

function killOnce(point) {
  if (done.includes(point)) return;
  appendFileSync(killed, `${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}

for (const {request_id, approved} of answers) {
  const answered = await host.runtime.resolveApproval({request_id, approved, approved_by: 'ann'});
  if (!answered.success) throw new Error(JSON.stringify(answered.error));
}
const on = {
  on_step: ({step, state}) => killOnce(`${state} ${step}`),
  on_progress: (_payload, step) => killOnce(`progress ${step}`),
};
const [known] = host.runtime.listTasks().filter(({task_id}) => isRunId(task_id));
const by = 'bob';
const run = known
  ? await resumeProgram(host, {run_id: known.task_id, by}, on)
  : await runProgram(host, {program: {file, text}, by}, on);
process.stdout.write(JSON.stringify(run));
await host.close();

// A program that embeds the built host as anybody would: JSON commands come line by line, each is answered by a line.
// It does not exit by itself: that it ends after `close` is part of what is tested.
import {createInterface} from 'node:readline';
import {startHost} from '@lumenflow/host';
import {createSystemClock} from '@lumenflow/kernel/node';

const [workspaceRoot, hoursBehind] = process.argv.slice(2);
const behindMs = Number(hoursBehind) * 3_600_000;
const machine = createSystemClock();
const clock = {
  ...machine,
  now: () => machine.now() - behindMs,
  timestamp: (offsetMs = 0) => machine.timestamp(offsetMs - behindMs),
};
const host = await startHost({workspaceRoot, threads: 1, env: process.env, clock});
let session;

const commands = {
  open: async (request) => {
    session = await host.openSession(request);
    if (!session.success) throw new Error(session.error.message);
    return {task_id: session.task_id, run_id: session.run_id, session_id: session.session_id};
  },
  call: ({tool, input}) => session.call(tool, input),
  claim: (command) => host.runtime.claimTask(command),
  create: (spec) => host.runtime.createTask(spec),
  resolve: (resolution) => host.runtime.resolveApproval(resolution),
  tasks: () => host.runtime.listTasks(),
  receipts: (filter) => host.runtime.evidence.readTraces(filter),
  verify: () => host.runtime.evidence.verify(),
  close: async () => {
    await host.close();
    lines.close();
    process.stdin.destroy();
  },
};

function answer(reply) {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

const lines = createInterface({input: process.stdin});
lines.on('line', (line) => void obey(JSON.parse(line)));

async function obey({id, command, argument}) {
  try {
    answer({id, value: await commands[command](argument)});
  } catch (error) {
    answer({id, error: String(error)});
  }
}
answer({id: 0, value: 'ready'});

// A client whose `lumenflow mcp` is killed leaves a task behind. The next start releases its claim and cancels it.
import {expect, it} from 'vitest';
import {connectDesk, createClient, makeDesk} from '../../support/mcp-desk.ts';

const hourMs = 3_600_000;

it('the task of a killed session is cancelled by the next start, and a planned task is not', async () => {
  const desk = makeDesk();
  const first = await desk.start();
  await first.runtime.createTask({id: 'unit-1', lane_id: 'core'});
  const {client, transport} = await connectDesk(desk.root, createClient('legacy'));
  await client.callTool({name: 'desk_add', arguments: {}});
  process.kill(transport.pid ?? 0, 'SIGKILL');
  await client.close();
  await first.close();
  const now = (): number => Date.now() + hourMs;
  const timestamp = (offsetMs = 0): string => new Date(now() + offsetMs).toISOString();
  const {runtime} = await desk.start({clock: {now, timestamp, monotonic: () => performance.now()}});
  expect(runtime.listTasks({state: 'ready'})).toMatchObject([{task_id: 'unit-1'}]);
  expect(runtime.listTasks({state: 'cancelled'})).toMatchObject([
    {task_id: expect.stringMatching(/^cli-/u), cancelled_reason: 'the session that created it ended'},
  ]);
  await desk.remove();
});

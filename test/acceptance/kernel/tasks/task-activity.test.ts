// When the owner of a task last made a call in it, as `kernel:list-tasks` reports to a pack, to distinguish active owners from absent ones.
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {examplePack} from '../../../support/example-pack.ts';
import type {Script} from '../../../support/scripted-dispatcher.ts';
import {contextOf, createStage, unwrap, type Stage, type StagedRuntime} from '../../../support/stage.ts';
import {stateKinds} from '../../../support/state-home.ts';

const minute = 60_000;

describe.each(stateKinds)('state $name', (kind) => {
  let stage: Stage;
  beforeEach(() => {
    stage = createStage(kind);
  });
  afterEach(() => stage.close());

  async function open(scripts: Readonly<Record<string, Script>> = {}): Promise<StagedRuntime> {
    const tools = [{name: 'work:do'}, {name: 'work:look'}];
    return await stage.open({
      packs: [examplePack({id: 'work', task_types: ['unit'], tools})],
      scripts: {
        'work:look': async ({callTool}) => ({output: await callTool('kernel:list-tasks', {with_activity: true})}),
        ...scripts,
      },
    });
  }

  /** `active_at` by task id, as another session's tool receives it. */
  async function look(runtime: StagedRuntime, desk = 'desk'): Promise<Record<string, unknown>> {
    const {data} = await runtime.executeTool('work:look', {}, await runtime.startTask(desk, {session_id: desk}));
    const {tasks} = data as {readonly tasks: readonly {readonly task_id: string; readonly active_at?: string}[]};
    return Object.fromEntries(tasks.map(({task_id, active_at}) => [task_id, active_at]));
  }
  const hold = {type: 'unit', session_id: 's'};

  test('is the end of its last call, and absent before the first one and while the task is unclaimed', async () => {
    const runtime = await open({
      'work:do': () => {
        stage.clock.move(5 * minute);
        return {output: {success: false, error: {code: 'MISSED', message: 'not this time'}}};
      },
    });
    unwrap(await runtime.createTask({id: 'ready', lane_id: 'core', type: 'unit'}));
    await runtime.startTask('idle', hold);
    const context = await runtime.startTask('busy', hold);
    stage.clock.move(minute);
    await runtime.executeTool('work:do', {}, context);
    const ended = stage.clock.timestamp();
    stage.clock.move(minute);
    expect(await look(runtime)).toEqual({ready: undefined, idle: undefined, busy: ended});
  });

  test('is the end of the last call after the clock was set back, although earlier calls have later times', async () => {
    const runtime = await open();
    const context = await runtime.startTask('WU-1', hold);
    await runtime.executeTool('work:do', {}, context);
    stage.clock.move(-60 * minute);
    await runtime.executeTool('work:do', {}, context);
    const worked = stage.clock.timestamp();
    stage.clock.move(minute);
    expect(await look(runtime)).toEqual({'WU-1': worked});
    const later = await runtime.startTask('WU-2', hold);
    stage.clock.move(-60 * minute);
    await runtime.executeTool('work:do', {}, later);
    expect((await look(runtime, 'desk-2'))['WU-2']).toBe(stage.clock.timestamp());
  });

  test('is not moved by refused calls, nor by calls before the latest claim', async () => {
    const runtime = await open();
    const context = await runtime.startTask('WU-1', hold);
    await runtime.executeTool('work:do', {}, context);
    const worked = stage.clock.timestamp();
    stage.clock.move(minute);
    const beRefused = async (times: number): Promise<void> => {
      for (let tries = 0; tries < times; tries += 1) await runtime.executeTool('none:such', {}, context);
    };
    await beRefused(12);
    await runtime.executeTool('work:do', {}, {...context, run_id: 'another'});
    expect(await look(runtime)).toEqual({'WU-1': worked});
    await beRefused(200);
    expect(await look(runtime, 'desk-1')).toEqual({'WU-1': undefined});
    unwrap(await runtime.releaseTask({task_id: 'WU-1', reason: 'lunch'}));
    const again = unwrap(await runtime.claimTask({task_id: 'WU-1', by: 'agent', session_id: 's'}));
    expect(await look(runtime, 'desk-2')).toEqual({'WU-1': undefined});
    await runtime.executeTool('work:do', {}, contextOf('WU-1', again));
    expect(await look(runtime, 'desk-3')).toEqual({'WU-1': stage.clock.timestamp()});
  });

  test('is now while a call runs, and its beginning once the process that ran it is dead', async () => {
    const watcher = await open();
    const seen: unknown[] = [];
    const runtime = await open({
      'work:do': async () => {
        stage.clock.move(90 * minute);
        seen.push(await look(watcher), {'WU-1': stage.clock.timestamp()});
        stage.processes.kill(runtime.processId);
        seen.push(await look(watcher, 'desk-2'));
        return {output: {success: true}};
      },
    });
    const context = await runtime.startTask('WU-1', hold);
    const began = stage.clock.timestamp();
    await runtime.executeTool('work:do', {}, context);
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[2]).toEqual({'WU-1': began});
  });
});

// One suite for programs, tasks and agents on every engine, through the command line, with real workers and hosts. Temporal's server is a
// stand-in for its front end; its client, worker and core are real.
import {noServer, createRestateServer} from '@lumenflow/integration-restate/testing';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {freePort, openEngineDesk, type EngineDesk} from '../../support/engine-desk.ts';
import {must} from '../../support/host-workspace.ts';
import {runProgram, type Ran} from '../../support/lumenflow-program.ts';
import {runEngineProgram} from '../../support/run-engine-program.ts';

interface Server {
  readonly engine: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

const frontEnd = fileURLToPath(
  new URL('../../../integrations/temporal/front-end/run-front-end.fixture.ts', import.meta.url),
);
const servers: Readonly<Record<string, () => Promise<Server>>> = {
  embedded: async () => await Promise.resolve({engine: {kind: 'embedded'}, end: async () => await Promise.resolve()}),
  async restate() {
    const {urls, remove} = await createRestateServer();
    return {engine: {kind: 'restate', ...urls[0]}, end: remove};
  },
  async temporal() {
    const args = ['--import', 'tsx', frontEnd];
    const {started, end} = await runEngineProgram<{readonly address: string}>('the front end', args);
    return {engine: {kind: 'temporal', ...started}, end};
  },
};

/** Temporal notices a worker that was killed after its heartbeat's time, and CI has none for that. */
const isBounded = process.env['LUMENFLOW_BOUNDED'] !== undefined;
const limitMs = 600_000;
const patience = {timeout: 280_000, interval: 200};
/** How often a call may end its process. */
const crashesMax = 3;
const policies = {
  default_decision: 'allow' as const,
  rules: [
    ...(['on_claim', 'on_completion'] as const).map((trigger) => ({
      id: trigger,
      trigger,
      decision: 'approval_required' as const,
      when: {lane: 'slow'},
    })),
    {id: 'closed', trigger: 'on_claim' as const, decision: 'deny' as const, when: {lane: 'closed'}},
  ],
};
const scripts = {
  asking: [
    {intent: 'careful', requested_tools: [{name: 'engine:leave', input: {key: 'asked'}}]},
    {status: 'complete', content: 'done'},
  ],
};

describe.each(Object.keys(servers))('on %s', {timeout: limitMs}, (kind) => {
  const isAbsent = kind === 'restate' && noServer !== undefined;
  const hasWorkers = kind !== 'embedded';
  let server: Server;
  let desk: EngineDesk;
  let workers: Promise<number>;
  let isOver: boolean;

  beforeEach(async () => {
    if (isAbsent) return;
    server = await servers[kind]!();
    desk = await openEngineDesk({engine: server.engine, scripts, policies});
    isOver = false;
    workers = hasWorkers ? keepWorker(await freePort()) : Promise.resolve(0);
    await desk.startServe();
  });
  afterEach(async () => {
    if (isAbsent) return;
    isOver = true;
    await desk.close();
    await workers;
    await server.end();
  });

  /** Starts a worker whenever the one before it has ended, as a service manager does. Resolves with how many were started. */
  async function keepWorker(port: number): Promise<number> {
    for (let started = 0; ; started += 1) {
      if (isOver) return started;
      const worker = await desk.startWorker('--listen', `127.0.0.1:${port}`).catch(() => undefined);
      if (worker?.exitCode === null && worker.signalCode === null)
        await new Promise((resolve) => worker.once('exit', resolve));
    }
  }

  const cli = async (...args: readonly string[]): Promise<Ran> =>
    await runProgram([...args, '--json'], {cwd: desk.workspace.root});
  const json = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
    JSON.parse((await cli(...args)).stdout) as Readonly<Record<string, unknown>>;
  const pending = async (): Promise<readonly string[]> => {
    const {approvals} = (await json('approvals', 'list')) as {readonly approvals: readonly {request_id: string}[]};
    return approvals.map(({request_id}) => request_id);
  };
  const keys = (): readonly string[] => desk.effects().map(({key}) => key);
  const runIds = async (): Promise<readonly string[]> =>
    ((await json('program', 'list')) as {readonly programs: readonly {run_id: string}[]}).programs.map(
      ({run_id}) => run_id,
    );

  test.skipIf(isAbsent)(
    'a task waits for its claim, for a step and for its completion, and does its work once',
    async () => {
      desk.workspace.write({'slow.yaml': slow});
      expect((await cli('program', 'run', 'slow.yaml', '--lane', 'slow', '--as', 'bob')).code).toBe(3);
      const answered: string[] = [];
      for (const done of [[], ['early'], ['early', 'late']]) {
        const [request = ''] = await vi.waitFor(async () => {
          const open = (await pending()).filter((each) => !answered.includes(each));
          expect(open).toHaveLength(1);
          return open;
        }, patience);
        expect(keys().toSorted()).toEqual(done);
        const [waiting = ''] = await runIds();
        expect(await json('program', 'show', waiting)).toMatchObject({state: 'waiting', approvals: [request]});
        // Its requester does not approve it.
        expect((await cli('approvals', 'approve', request, '--as', 'bob')).code).toBe(1);
        expect((await cli('approvals', 'approve', request, '--as', 'ann')).code).toBe(0);
        answered.push(request);
      }
      const [run = ''] = await runIds();
      await vi.waitFor(
        async () => expect(await json('program', 'show', run)).toMatchObject({state: 'succeeded'}),
        patience,
      );
      expect(keys().toSorted()).toEqual(['early', 'late']);
    },
  );

  test.skipIf(isAbsent)("an agent's session waits for an answer, and makes its call once", async () => {
    await must(desk.session, 'agent-session:start', {session_id: 'errand', task: 'Ask', model_profile: 'asking'});
    const [request = ''] = await vi.waitFor(async () => {
      const open = await pending();
      expect(open).toHaveLength(1);
      return open;
    }, patience);
    expect((await cli('approvals', 'approve', request, '--as', 'ann')).code).toBe(0);
    await vi.waitFor(
      async () =>
        expect(await must(desk.session, 'agent-session:status', {session_id: 'errand'})).toMatchObject({
          outcome: 'complete',
        }),
      patience,
    );
    expect(keys()).toEqual(['asked']);
  });

  test.skipIf(isAbsent || !hasWorkers || (isBounded && kind === 'temporal'))(
    'a run that policy denies is parked, and the doctor lists it',
    async () => {
      desk.workspace.write({'leave.yaml': leave});
      const {code, stdout} = await cli('program', 'run', 'leave.yaml', '--lane', 'closed', '--as', 'bob');
      expect([code, stdout]).toEqual([1, expect.stringContaining('parked the run')]);
      const [id] = await runIds();
      expect(await json('engine', 'doctor')).toMatchObject({
        engine: {
          server: 'replies',
          parked: {
            runs: [
              {
                id,
                kind: 'program',
                lane_id: 'closed',
                reason: expect.stringContaining('closed') as string,
                since: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
              },
            ],
            asked: 1,
            open: 1,
          },
        },
      });
      const shown = await runProgram(['engine', 'doctor'], {cwd: desk.workspace.root});
      expect(shown.stdout).toMatch(new RegExp(`${id}\\s+program`, 'u'));
      expect(shown.stderr).toContain('lumenflow program resume RUN');
    },
  );

  test.skipIf(isAbsent)('a call that fails each time is made once, and ends its run', async () => {
    desk.workspace.write({'fall.yaml': fall('failed')});
    const {code, stdout} = await cli('program', 'run', 'fall.yaml', '--as', 'bob');
    expect([code, stdout]).toEqual([1, expect.stringContaining('it fails each time')]);
    expect(await callsOf((await runIds())[0])).toBe(1);
  });

  test.skipIf(isAbsent || (isBounded && kind === 'temporal'))(
    'a call that ends its process each time is given up, and other runs continue',
    async () => {
      desk.workspace.write({'fall.yaml': fall('killed'), 'leave.yaml': leave});
      let {code, stdout, signal} = await cli('program', 'run', 'fall.yaml', '--as', 'bob');
      const [run = ''] = await runIds();
      // The embedded engine leaves it to a person to try again.
      for (let tries = hasWorkers ? crashesMax : 0; tries < crashesMax; tries += 1) {
        expect(signal).toBe('SIGKILL');
        ({code, stdout, signal} = await cli('program', 'resume', run, '--as', 'bob'));
      }
      expect([code, stdout]).toEqual([1, expect.stringContaining('calls ended without an outcome')]);
      expect(await callsOf(run)).toBe(crashesMax);
      expect((await cli('program', 'run', 'leave.yaml', '--as', 'bob')).code).toBe(0);
      expect(keys()).toEqual(['other']);
    },
  );

  async function callsOf(run = ''): Promise<number> {
    await desk.host.runtime.refresh();
    return (await desk.host.runtime.evidence.readTracesByTaskId(run)).receipts.length;
  }
});

const slow = `name: slow
steps:
  - {call: engine:leave, args: {key: early}}
  - wait_for_approval: Go on?
  - {call: engine:leave, args: {key: late}}
  - return: done
`;

const leave = `name: leave
steps:
  - {call: engine:leave, args: {key: other}}
`;

const fall = (how: string): string => `name: fall
steps:
  - {call: engine:fall, args: {how: ${how}}}
`;

// How calls end: by a result, a failure, a crash, a limit, a timeout, a cancel.
import assert from 'node:assert/strict';
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {BackendCase, CaseStage} from './backend-case.ts';

const megabyte = 1024 ** 2;
/** A process that lives writes more often. */
const settleMs = 300;
/** On a busy machine, a process that is killed may finish its last system call late. */
const settleTriesMax = 10;

/** Writes to `beat` every 20 ms, ignores SIGTERM, and has a child that does the same. */
const beating = `const {spawn} = await import('node:child_process');
  process.on('SIGTERM', () => {});
  const beat = 'trap "" TERM; (while :; do echo alive > ' + context.workspace_root + '/beat; sleep 0.02; done) & while :; do sleep 0.02; done';`;

async function beatStops({workspace}: CaseStage): Promise<void> {
  const lastBeat = (): number => statSync(join(workspace, 'beat')).mtimeMs;
  for (let tries = 0; tries < settleTriesMax; tries += 1) {
    const before = lastBeat();
    await delay(settleMs);
    if (lastBeat() === before) return;
  }
  assert.fail('a process of the call still writes');
}

/** Ends at its wall time. The child must have written before that, so on a busy machine the call is repeated with more time. */
async function callThatTimesOut(stage: CaseStage, startChild: string): ReturnType<CaseStage['call']> {
  for (let wallMs = 800; ; wallMs *= 3) {
    const ended = await stage.call(`${beating} ${startChild} for (;;) {}`, {write: ['**'], wallMs});
    if (existsSync(join(stage.workspace, 'beat')) || wallMs > 20_000) return ended;
  }
}

export const outcomeCases: readonly BackendCase[] = [
  {
    name: 'a result is the output of the call',
    async run({call}) {
      const result = await call('return {got: input.value};', {input: {value: 'ä'}});
      assert.deepEqual(result.output, {success: true, data: {got: 'ä'}});
      assert.equal(result.exitCode, 0);
      assert.equal(result.timedOut || result.aborted || result.truncated || result.oom, false);
    },
  },
  {
    name: 'a handler that throws has failed, and has not crashed',
    async run({call}) {
      const {output} = await call(`throw new Error('no such thing');`);
      assert.equal(output.success, false);
      assert.match(output.error?.message ?? '', /no such thing/);
      assert.notEqual(output.error?.code, 'TOOL_CRASHED');
    },
  },
  {
    name: 'a handler that exits has crashed, with its exit code and its last words',
    async run({call}) {
      const {output, exitCode} = await call(`process.stderr.write('last words'); process.exit(37);`);
      assert.equal(output.error?.code, 'TOOL_CRASHED');
      assert.equal(exitCode, 37);
      assert.match(String(output.error?.details?.['stderr']), /last words/);
    },
  },
  {
    name: 'a handler that runs out of memory meets its limit',
    async run({call}) {
      const {output, oom} = await call(
        `const kept = []; for (;;) kept.push(new Array(1e5).fill({}).map(() => ({})));`,
        {
          limits: {memory_bytes: 96 * megabyte},
        },
      );
      assert.equal(output.error?.code, 'LIMIT_EXCEEDED');
      assert.equal(output.error?.details?.['limit'], 'memory_bytes');
      assert.equal(oom, true);
    },
  },
  {
    name: 'a timeout ends the handler and the children that ignore SIGTERM',
    async run(stage) {
      const {output, timedOut} = await callThatTimesOut(stage, `spawn('sh', ['-c', beat], {stdio: 'ignore'});`);
      assert.equal(output.error?.code, 'TOOL_TIMEOUT');
      assert.equal(timedOut, true);
      await beatStops(stage);
    },
  },
  {
    name: 'a timeout ends children that have left the process group',
    async run(stage) {
      const detached = `spawn('setsid', ['sh', '-c', beat], {detached: true, stdio: 'ignore'}).unref();`;
      const {output} = await callThatTimesOut(stage, detached);
      assert.equal(output.error?.code, 'TOOL_TIMEOUT');
      await beatStops(stage);
    },
  },
  {
    name: 'a result ends what the handler has left in the background',
    async run(stage) {
      const {output} = await stage.call(
        `${beating} spawn('sh', ['-c', beat], {stdio: 'ignore'});
         while (!fs.existsSync(context.workspace_root + '/beat')) await new Promise((done) => setTimeout(done, 10));
         return 'done';`,
        {write: ['**']},
      );
      assert.deepEqual(output, {success: true, data: 'done'});
      await beatStops(stage);
    },
  },
  {
    name: 'a cancel reaches the handler, which may clean up',
    async run({call, workspace}) {
      const controller = new AbortController();
      const {output, aborted} = await call(
        `const cancelled = new Promise((done) => context.signal.addEventListener('abort', done));
         context.progress('ready'); await cancelled; fs.writeFileSync(context.workspace_root + '/cleaned', ''); return 1;`,
        {write: ['**'], request: {signal: controller.signal, onMessage: () => controller.abort()}},
      );
      assert.equal(output.error?.code, 'TOOL_CANCELLED');
      assert.equal(aborted, true);
      assert.ok(statSync(join(workspace, 'cleaned')).isFile());
    },
  },
  {
    name: 'a cancel ends a handler that does not listen',
    async run({call}) {
      const controller = new AbortController();
      const {output} = await call(
        `context.progress('up'); await new Promise((done) => setTimeout(done, 20)); for (;;) {}`,
        {
          request: {signal: controller.signal, onMessage: () => controller.abort()},
        },
      );
      assert.equal(output.error?.code, 'TOOL_CANCELLED');
    },
  },
  {
    name: 'a call that was cancelled before it started runs nothing',
    async run({call, workspace}) {
      const {output} = await call(`fs.writeFileSync(context.workspace_root + '/ran', '');`, {
        write: ['**'],
        request: {signal: AbortSignal.abort()},
      });
      assert.equal(output.error?.code, 'TOOL_CANCELLED');
      assert.throws(() => statSync(join(workspace, 'ran')));
    },
  },
];

// The thread of an isolate: answers the host's questions, and handles wake-ups without a question.
import {setTimeout as sleep} from 'node:timers/promises';
import {MessageChannel, Worker} from 'node:worker_threads';
import {afterEach, expect, test} from 'vitest';
import {askedTurns, type IsolateLoad, type IsolateStart} from './isolate-wire.ts';

const worker: Worker[] = [];
afterEach(async () => {
  for (const each of worker.splice(0)) await each.terminate();
});

test("a thread that wakes without a question keeps waiting, and answers by the question's number", async () => {
  const {port1: port, port2} = new MessageChannel();
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const source = `export function make() { return '[]' } export function ask(index, context) { return JSON.parse(context) === index }`;
  const limits = {loadMs: 1000, whenMs: 50, memoryBytes: 64 * 1024 * 1024};
  const start: IsolateStart = {limits, turns, port: port2};
  const thread = new URL('../dist/isolate/isolate-thread.js', import.meta.url);
  const answers: unknown[] = [];
  port.on('message', (message) => answers.push(message));
  worker.push(new Worker(thread, {workerData: start, transferList: [port2]}));
  port.postMessage({source, configJson: '{}'} satisfies IsolateLoad);
  await expect.poll(() => answers.length, {timeout: 60_000}).toBe(2);
  // At first nobody waits yet; later each notification wakes the thread.
  for (let wake = 0; wake < 20; wake += 1) {
    Atomics.notify(turns, askedTurns);
    await sleep(5);
  }
  for (const turn of [0, 1, 2]) {
    port.postMessage({turn, index: turn, contextJson: turn === 1 ? '7' : String(turn)});
    Atomics.add(turns, askedTurns, 1);
    Atomics.notify(turns, askedTurns);
  }
  await expect.poll(() => answers.length, {timeout: 60_000}).toBe(5);
  expect(answers.slice(2)).toEqual([
    {ok: true, value: true, turn: 0},
    {ok: true, value: false, turn: 1},
    {ok: true, value: true, turn: 2},
  ]);
  port.close();
});

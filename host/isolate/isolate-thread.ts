// The thread of one pack's isolate: starts the engine, waits for the factories and loads them, then answers `when` questions in
// sequence until it ends. It writes outcomes by hand, because the kernel's code would make its start slower.
import type {Failed} from '@lumenflow/kernel';
import {once} from 'node:events';
import {receiveMessageOnPort, workerData} from 'node:worker_threads';
import {
  answeredTurns,
  askedTurns,
  type EngineReady,
  type IsolateAnswer,
  type IsolateLoad,
  type IsolateQuestion,
  type IsolateStart,
  type NumberedAnswer,
} from './isolate-wire.ts';
import {openThreadClock} from './thread-clock.ts';
import {createQuickJsIsolate, type QuickJsIsolate} from './quickjs-isolate.ts';

const {limits, turns, port} = workerData as IsolateStart;
const isolate = await load();
if (isolate) serve(isolate);

async function load(): Promise<QuickJsIsolate | undefined> {
  try {
    const clock = openThreadClock();
    const created = await createQuickJsIsolate(limits, clock.now);
    port.postMessage({ok: true, value: {clock: clock.file}} satisfies IsolateAnswer<EngineReady>);
    const [{source, configJson}] = (await once(port, 'message')) as [IsolateLoad];
    port.postMessage({ok: true, value: created.load(source, configJson)} satisfies IsolateAnswer<string>);
    return created;
  } catch (error) {
    port.postMessage(failure(error));
    return undefined;
  }
}

function serve(loaded: QuickJsIsolate): never {
  for (let turn = 0; ; turn++) {
    // Spurious wake-ups are possible.
    while (Atomics.load(turns, askedTurns) <= turn) Atomics.wait(turns, askedTurns, turn);
    port.postMessage({...answer(loaded, turn), turn} satisfies NumberedAnswer);
    Atomics.store(turns, answeredTurns, turn + 1);
    Atomics.notify(turns, answeredTurns);
  }
}

function answer(loaded: QuickJsIsolate, turn: number): IsolateAnswer<boolean> {
  const question = receiveMessageOnPort(port)?.message as IsolateQuestion | undefined;
  if (question?.turn !== turn) return {ok: false, problem: 'a question did not arrive'};
  try {
    return {ok: true, value: loaded.ask(question.index, question.contextJson)};
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Failed<string> {
  return {ok: false, problem: error instanceof Error ? error.message : String(error)};
}

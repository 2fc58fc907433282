// The thread of QuickJS: each run has a fresh engine, which is dropped after it.
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {parentPort} from 'node:worker_threads';
import {newQuickJs, type EngineCode} from '../../../isolate/new-quickjs.ts';
import {runInEngine} from './run-in-engine.ts';
import type {EngineRun, FromThread, ToThread} from './engine-messages.ts';

const port = parentPort;
if (port === null) throw new Error('this program is a thread');

const {Module} = Reflect.get(globalThis, 'WebAssembly') as {readonly Module: new (bytes: Uint8Array) => EngineCode};
const engineFile = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const engineCode = new Module(readFileSync(engineFile));
const waiting = new Map<number, (answer: string) => void>();
let runs = 0;
let lastId = 0;

port.on('message', (message: ToThread) => {
  if (message.kind === 'run') void serve(message.run);
  // Otherwise the answer is for a run that has ended.
  else if (message.run === runs) settle(message.id, message.answer);
});
send({kind: 'ready'});

async function serve(run: EngineRun): Promise<void> {
  const own = (runs += 1);
  waiting.clear();
  const engine = await newQuickJs(run.memoryBytes, engineCode);
  const end = await runInEngine(
    engine,
    run,
    async (operation, args) =>
      await new Promise((resolve) => {
        const id = (lastId += 1);
        waiting.set(id, resolve);
        send({kind: 'request', run: own, id, operation, args});
      }),
  );
  send({kind: 'end', end});
}

function settle(id: number, answer: string): void {
  waiting.get(id)?.(answer);
  waiting.delete(id);
}

function send(message: FromThread): void {
  port?.postMessage(message);
}

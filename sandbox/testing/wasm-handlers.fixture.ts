// The handlers of the conformance suite as WebAssembly modules, and the cases whose handlers do what no module can.
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {SkippedCases} from '../conformance/run-backend-conformance.ts';
import {assembleModule, code, type Code, type ModuleSource} from '../wasm/probe/assemble-module.ts';
import {calling, echo, lumenflow, running, wasi} from './wasm-bench.fixture.ts';

/** Throws for a body that has no module: then its case must be skipped, or written here. */
export function writeWasmHandler(body: string, folder: string): string {
  const source = modules.find(([start]) => body.trimStart().startsWith(start))?.[1];
  if (source === undefined) throw new Error(`no module does the same as \`${body}\``);
  const path = join(folder, `handler-${readdirSync(folder).length}.wasm`);
  writeFileSync(path, assembleModule(source));
  return `${path}#run`;
}

/** Outputs a text, which is its data, after running what `before` does. */
function outputs(json: string, ...before: readonly Code[]): ModuleSource {
  const imports = [lumenflow('output_write', 2), wasi('poll_oneoff', 4), wasi('fd_write', 4), wasi('fd_read', 4)];
  return {...running(imports, ...before, calling(0, 0, json.length)), data: json};
}

const milliseconds = 1_000_000;
/** Of zeros, at an address beyond data. */
const subscription = 1024;
/** A relative timeout of the monotonic clock. */
const sleeping = (ms: number): Code => [
  ...code.store(subscription + 16, code.i32(1)),
  ...code.store(subscription + 24, code.i32(ms * milliseconds)),
  ...calling(1, subscription, 2048, 1, 4096),
  ...code.drop,
];

const looping = {...running([lumenflow('progress', 2)], calling(0, 0, 4), code.forever), data: '"up"'};
const megabytes = 70 * 1024 * 1024;
const large: ModuleSource = {
  ...running([lumenflow('output_write', 2)], calling(0, 0, megabytes)),
  memory: {min: megabytes / 65_536},
};

const steps = Array.from({length: 20}, (_, step) => String(step));
const conversation: ModuleSource = {
  ...running(
    [
      lumenflow('progress', 2),
      lumenflow('call_tool', 4, true),
      lumenflow('answer_read', 1),
      lumenflow('log', 3),
      lumenflow('output_write', 2),
    ],
    ...steps.map((text, step) => calling(0, steps.slice(0, step).join('').length, text.length)),
    [...code.i32(1024), ...calling(1, 30, 10, 40, 7), ...calling(2, 1024), ...calling(3, 1, 47, 5), ...code.call(4)],
  ),
  data: `${steps.join('')}other:tool{"q":1}after`,
};

const cut: ModuleSource = outputs(
  '"done"',
  code.store(1024, code.i32(2048)),
  code.store(1028, code.i32(32_768)),
  // memory.fill
  [...code.i32(2048), ...code.i32(0x78), ...code.i32(32_768), 0xfc, 11, 0],
  code.repeat(
    calling(2, 1, 1024, 1, 1032),
    code.drop,
    code.store(1036, [...code.load(1036), ...code.i32(1), ...code.add]),
    code.load(1036),
    code.i32(512),
    code.isOther,
  ),
);

const dying: ModuleSource = {
  ...running(
    [wasi('fd_write', 4), wasi('proc_exit', 1)],
    code.store(1028, code.i32(10)),
    calling(0, 2, 1024, 1, 1032),
    code.drop,
    calling(1, 37),
  ),
  data: 'last words',
};

/** By how the body of a handler begins. */
const modules: readonly (readonly [string, ModuleSource])[] = [
  ['return input;', echo],
  ['return 1;', outputs('1')],
  [`return 'second';`, outputs('"second"')],
  [`await new Promise((done) => setTimeout(done, 700)); return 'first';`, outputs('"first"', sleeping(700))],
  ['await new Promise((done) => setTimeout(done, 700)); return fs', outputs('true', sleeping(700))],
  [`context.progress('up');`, looping],
  [`return 'x'.repeat(`, large],
  [`for (let step = 0; step < 20;`, conversation],
  [`const text = 'x'.repeat(1 << 20);`, cut],
  [`process.stderr.write('last words');`, dying],
  [
    `const kept = [];`,
    running([], code.repeat(code.i32(1), code.memoryGrow, code.i32(-1), code.isOther), code.unreachable),
  ],
  [`fs.writeFileSync(context.workspace_root + '/ran'`, outputs('1')],
  [
    `return fs.readFileSync(0).length;`,
    outputs('0', code.store(1028, code.i32(8)), calling(3, 0, 1024, 1, 1032), code.drop),
  ],
];

export const withoutModules: readonly SkippedCases[] = [
  {
    reason: 'a module starts no processes',
    cases: [
      'a timeout ends the handler and the children that ignore SIGTERM',
      'a timeout ends children that have left the process group',
      'a result ends what the handler has left in the background',
      'the call has no capabilities and cannot gain any',
      'processes of the host cannot be seen',
    ],
  },
  {
    reason: 'its handler needs JavaScript; sandbox/wasm has such a test',
    cases: [
      'a result is the output of the call',
      'a handler that throws has failed, and has not crashed',
      'a cancel reaches the handler, which may clean up',
      'binary output is a log, and no message',
      'an input of 10 MB arrives whole',
      'the environment contains the given variables, and none of the host',
      'the time zone is that of the host, by its name',
      'limits of open files and of file size bind',
    ],
  },
  {
    reason: 'a module asks the host for files: test/conformance/wasm-pack.long.test.ts',
    cases: [
      'what is granted can be read and written, and nothing else',
      'a folder can be written inside another that can only be read',
      'files with secrets are hidden inside every grant',
      'the system can be read, and not written',
    ],
  },
  {
    reason: 'a module has no network',
    cases: [
      'without a network nothing answers, on the host neither',
      'an allowlist refuses what it does not list, at once',
    ],
  },
];

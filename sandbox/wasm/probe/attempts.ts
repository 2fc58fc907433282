// What the probe has a module attempt, and what must come of it.
import type {Guarantee} from '../../backends/probe-report.ts';
import {errno} from '../thread/wasi-error.ts';
import type {ThreadLimits} from '../thread-messages.ts';
import {pageBytes} from '../module/bound-module.ts';
import {assembleModule, code, type Code, type ImportSource} from './assemble-module.ts';

export interface Attempt {
  /** The guarantees that it proves, each with what must come of it. */
  readonly proves: Readonly<Partial<Record<Guarantee, (outcome: ModuleOutcome) => boolean>>>;
  readonly module: Uint8Array;
  /** Is ended once it has used some processor time. */
  readonly isEndless?: true;
  /** The host has files for it. */
  readonly isGranted?: true;
}

export interface ModuleOutcome {
  readonly exitCode: unknown;
  /** Of the error. */
  readonly code: string | undefined;
  readonly ranOutOfMemory: boolean;
  readonly memoryBytes: number;
  readonly cpuMs: number;
  readonly printedBytes: number;
  readonly isKilled: boolean;
}

export const attemptLimits: ThreadLimits = {
  memoryBytes: 16 * pageBytes,
  outputBytes: 1000,
  openFiles: 8,
  fileSizeBytes: 4096,
};

const wasi = (name: string, ...parameters: ('i32' | 'i64')[]): ImportSource => ({
  module: 'wasi_snapshot_preview1',
  name,
  parameters,
  results: name === 'proc_exit' ? [] : ['i32'],
});
const exit = wasi('proc_exit', 'i32');
const pathOpen = wasi('path_open', 'i32', 'i32', 'i32', 'i32', 'i32', 'i64', 'i64', 'i32', 'i32');
const path = 'etc/passwd';
const opensFile: Code = [
  ...code.i32(3),
  ...code.i32(0),
  ...code.i32(0),
  ...code.i32(path.length),
  ...code.i32(0),
  ...code.i64(66n),
  ...code.i64(0n),
  ...code.i32(0),
  ...code.i32(64),
  ...code.call(1),
];

/** The exit code is what the body leaves; function 0 exits, the others are `imports`. */
function exitsWith(imports: readonly ImportSource[], ...body: readonly Code[]): Uint8Array {
  return assembleModule({
    imports: [exit, ...imports],
    functions: [{name: 'run', body: [...body.flat(), ...code.call(0)]}],
    data: path,
  });
}

const isNotCapable = ({exitCode}: ModuleOutcome): boolean => exitCode === errno.notcapable;
const isRefused = ({code: errorCode}: ModuleOutcome): boolean => errorCode === 'TOOL_EXECUTION_FAILED';

export const attempts: readonly Attempt[] = [
  {
    // The thread asks the host, which grants nothing here.
    proves: {filesystem: isNotCapable, trusted_files: isNotCapable},
    module: exitsWith([pathOpen], opensFile),
  },
  {
    proves: {environment: ({exitCode}) => exitCode === 1},
    module: exitsWith(
      [wasi('environ_sizes_get', 'i32', 'i32')],
      [...code.i32(64), ...code.i32(68), ...code.call(1), ...code.load(64), ...code.add, ...code.i32(1), ...code.add],
    ),
  },
  {
    // A function of the host's that is not offered, and one that every JavaScript object inherits.
    proves: {system_calls: isRefused, processes: isRefused, process_count: isRefused, network_off: isRefused},
    module: assembleModule({
      imports: [{module: 'lumenflow', name: 'constructor'}],
      functions: [{name: 'run', body: code.call(0)}],
    }),
  },
  {
    proves: {memory: ({ranOutOfMemory, memoryBytes}) => ranOutOfMemory && memoryBytes <= attemptLimits.memoryBytes},
    module: exitsWith(
      [],
      code.repeat([...code.i32(1), ...code.memoryGrow, ...code.i32(-1), ...code.isOther]),
      code.memorySize,
    ),
  },
  {
    isGranted: true,
    proves: {open_files: ({exitCode}) => exitCode === errno.mfile},
    module: exitsWith([pathOpen], code.repeat(opensFile, code.isZero), opensFile),
  },
  {
    isGranted: true,
    proves: {file_size: ({exitCode}) => exitCode === errno.fbig},
    module: exitsWith(
      [pathOpen, wasi('fd_filestat_set_size', 'i32', 'i64')],
      [...opensFile, ...code.drop, ...code.load(64), ...code.i64(1_000_000n), ...code.call(2)],
    ),
  },
  {
    proves: {output: ({printedBytes}) => printedBytes > 0 && printedBytes <= attemptLimits.outputBytes + 1},
    module: exitsWith([wasi('fd_write', 'i32', 'i32', 'i32', 'i32')], code.store(68, code.i32(60_000)), [
      ...code.i32(1),
      ...code.i32(64),
      ...code.i32(1),
      ...code.i32(72),
      ...code.call(1),
    ]),
  },
  {
    isEndless: true,
    proves: {wall_time: ({isKilled}) => isKilled, cpu_time: ({cpuMs}) => cpuMs > 0},
    module: assembleModule({functions: [{name: 'run', body: code.forever}]}),
  },
];

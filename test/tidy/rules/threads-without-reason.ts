// Node checks the heap limit of a thread too late: code that needs memory fast can end the whole process. So each start of a thread has a
// reason why what it runs cannot do that.
import {type Finding, isTestCode, type SourceFile} from './source-file.ts';

/** Where a thread may be started, and why. A folder ends in a slash. */
const allowed: Readonly<Record<string, string>> = {
  'host/isolate/start-engine.ts': 'runs code of others in WebAssembly only, and cuts the texts that leave the engine',
  'host/exec/code/quickjs/quickjs-threads.ts':
    'runs code of others in WebAssembly only, and cuts the texts that leave it',
  'host/exec/programs/expressions/expression-process.ts': 'watches the parent process, and runs no code of others',
  'host/pool/start-piscina.ts': 'runs packs that are trusted as much as the host',
  'sandbox/wasm/wasm-thread.ts': 'runs modules whose memories and tables are bounded, and that have no objects',
  'test/': 'run what the test wrote',
  'scripts/': 'run what the repository contains',
};

export function findThreadsWithoutReason(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({path}) => !isTestCode(path) && !Object.keys(allowed).some((place) => path.startsWith(place)))
    .flatMap(({path, text}) =>
      text.split('\n').flatMap((line, index) => {
        if (!/\bnew (?:Worker|Piscina)\(/u.test(line)) return [];
        const message = 'starts a thread, whose code can end the whole process: start a process (sandbox/commands)';
        return [{path, line: index + 1, message}];
      }),
    );
}

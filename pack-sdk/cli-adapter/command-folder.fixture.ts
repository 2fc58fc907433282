// A folder of commands written by a test, and an adapter on it.
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {CliResult, CliRunOptions} from './run/cli-result.ts';
import {createRuntimeCliAdapter, type RuntimeCliAdapter} from './create-runtime-cli-adapter.ts';

export interface CommandFolder {
  readonly path: string;
  readonly adapter: RuntimeCliAdapter;
  /** Writes a file and gives its name. */
  write(source: string, extension?: string): string;
  /** Runs `source` as the body of a `main()`. */
  main(source: string, options?: CliRunOptions, args?: readonly string[]): Promise<CliResult>;
  /** Runs `source` as a script. */
  script(source: string, options?: CliRunOptions, extension?: string): Promise<CliResult>;
  remove(): void;
}

const imports = `import fs from 'node:fs'; import child_process from 'node:child_process'; import zlib from 'node:zlib';`;

export function makeCommandFolder(): CommandFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-commands-')));
  const commands: Record<string, {script: string}> = {};
  const adapter = createRuntimeCliAdapter({workspaceRoot: path, root: '.', commands});
  let count = 0;
  const write = (source: string, extension = '.mjs'): string => {
    const name = `command-${++count}${extension}`;
    writeFileSync(join(path, name), source);
    return name;
  };
  return {
    path,
    adapter,
    write,
    main: async (source, options, args) =>
      await adapter.run(write(`${imports}\nexport async function main() {\n${source}\n}\n`), args, options),
    async script(source, options, extension = '.cjs') {
      const name = write(source, extension);
      commands[name] = {script: name};
      return await adapter.run(name, [], options);
    },
    remove: () => rmSync(path, {recursive: true}),
  };
}

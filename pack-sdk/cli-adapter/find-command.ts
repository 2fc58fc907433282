// Where the module of a command is: relative to a folder that it cannot leave.
import {closeSync, openSync, readSync, statSync} from 'node:fs';
import {relative, resolve, sep} from 'node:path';

/** How a command is to be run; without one, the command's name is the path of a module that exports `main`. */
export interface CliCommand {
  /** A module that exports `main()`, relative to the adapter's root; `.js`, `.mjs`, `.cjs`, `.ts` or `.mts` may be left out. */
  readonly module?: string | undefined;
  /** A program that runs when it is loaded, such as what a package of npm names in `bin`; relative to the workspace. */
  readonly script?: string | undefined;
}

export interface CommandPlace {
  readonly kind: 'module' | 'script';
  /** Absolute. */
  readonly path: string;
}

const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts'];

export interface CommandFolders {
  readonly workspaceRoot: string;
  readonly root: string;
}

/** Text: why there is none. */
export function findCommand(name: string, command: CliCommand, folders: CommandFolders): CommandPlace | string {
  const {script, module = name} = command;
  const kind = script === undefined ? 'module' : 'script';
  const [folder, wanted] =
    script === undefined ? [resolve(folders.workspaceRoot, folders.root), module] : [folders.workspaceRoot, script];
  const path = resolve(folder, wanted);
  const inside = relative(folder, path);
  if (wanted === '' || inside === '' || inside === '..' || inside.startsWith(`..${sep}`)) {
    return `the command \`${name}\` is not inside of \`${folder}\``;
  }
  const found = endings
    .map((ending) => path + ending)
    .find((file) => statSync(file, {throwIfNoEntry: false})?.isFile());
  if (found !== undefined && isNative(found)) {
    return `the ${kind} \`${inside}\` is a native program and not JavaScript: run it with \`context.exec\``;
  }
  if (found !== undefined) return {kind, path: found};
  return `the command \`${name}\` is not there: no ${kind} \`${inside}\` in \`${folder}\``;
}

/** The first bytes of programs for Linux, macOS (one or several processors) and Windows, as hexadecimal digits. */
const nativeStart = /^(?:7f454c46|cffaedfe|cefaedfe|cafebabe|4d5a)/u;

function isNative(file: string): boolean {
  const start = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start);
  } finally {
    closeSync(descriptor);
  }
  return nativeStart.test(start.toString('hex'));
}

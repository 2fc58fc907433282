// A page of reference from the help of every command, as the built program prints it in 80 columns.
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {root} from '../tidy/repository.ts';

const program = join(root, 'host/dist/main.js');

/** Markdown of all commands, in the order of the help. Throws Error when the program is not built. */
export function writeCommandSections(): string {
  const parts: string[] = [];
  const visit = (path: readonly string[]): void => {
    const help = helpOf(path);
    parts.push(`${'#'.repeat(Math.min(path.length + 2, 3))} ${['lumenflow', ...path].join(' ')}\n\n`);
    parts.push(`\`\`\`text help\n${path.length === 0 ? help : withoutGlobals(help)}\n\`\`\`\n\n`);
    for (const name of commandsIn(help)) visit([...path, name]);
  };
  visit([]);
  return parts.join('').trimEnd();
}

function helpOf(path: readonly string[]): string {
  return execFileSync(process.execPath, [program, ...path, '--help'], {encoding: 'utf8'}).trimEnd();
}

/** The section `Commands:` names them, each after two spaces; `help` itself is left out. */
function commandsIn(help: string): readonly string[] {
  const section = /^Commands:\n((?: .*\n?)*)/m.exec(help)?.[1] ?? '';
  return [...section.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

/** They are the same for all commands, and are listed with the first. */
function withoutGlobals(help: string): string {
  return help.replace(/\nGlobal Options:\n(?: .*\n?)*/, '').trimEnd();
}

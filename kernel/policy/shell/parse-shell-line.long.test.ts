// Random command lines against shells themselves: what they run is what the parser found, and certain lines write no files.
import {execFileSync, spawnSync} from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {afterAll, expect, test} from 'vitest';
import {compileCommandPattern} from '../command-pattern.ts';
import {policyPorts} from '../policy-ports.fixture.ts';
import {programName} from './program-name.ts';
import {createShellLines, type ShellView} from './shell-lines.ts';
import {shellPieces} from './shell-pieces.fixture.ts';

/** Of each shell. */
const count = 600;
const line = fc.array(fc.oneof(...shellPieces.map((pieces) => fc.constantFrom(...pieces))), {
  minLength: 1,
  maxLength: 11,
});
const folder = mkdtempSync(join(tmpdir(), 'lumenflow-shell-'));
const programs = join(folder, 'programs');
afterAll(() => rmSync(folder, {recursive: true}));

/** Reports its name and its words in one write, because commands of a pipe run at the same time. */
const program = `#!/bin/sh
end='\u{1}'; words=$0
for word; do words=$words$end$word; done
printf '%s\\001\\002' "$words" >> "$LOG"
`;

function writePrograms(): void {
  mkdirSync(programs);
  const names = ['a', 'b', 'k'];
  const first = join(programs, 'aa');
  writeFileSync(first, program);
  chmodSync(first, 0o755);
  const others = [...names, ...names.flatMap((name) => names.map((other) => name + other))].filter(
    (name) => name !== 'aa',
  );
  for (const name of others) linkSync(first, join(programs, name));
  for (const name of ['env', 'nice', 'nohup', 'sh', 'timeout', 'xargs']) {
    const {stdout} = spawnSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'});
    const path = stdout.trim().startsWith('/') ? stdout.trim() : `/usr/bin/${name}`;
    symlinkSync(path, join(programs, name));
  }
}

interface Run {
  readonly commands: readonly (readonly string[])[];
  readonly files: readonly string[];
}

function runIn(shell: readonly string[], lines: readonly string[]): readonly Run[] {
  const home = mkdtempSync(join(folder, 'run-'));
  const at = (index: number): string => join(home, `${index}`);
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const steps = lines.map((text, index) => {
    mkdirSync(at(index));
    writeFileSync(`${at(index)}.log`, '');
    return `LOG=${at(index)}.log; (cd ${at(index)}; eval ${quoted(text)}\nwait) < /dev/null > /dev/null 2>&1\n`;
  });
  writeFileSync(join(home, 'script'), ['export LOG\nulimit -t 5\nulimit -f 100\n', ...steps, 'exit 0\n'].join(''));
  const [file = '', ...args] = shell;
  execFileSync(file, [...args, join(home, 'script')], {env: {PATH: programs}, stdio: 'ignore'});
  return lines.map((_text, index) => ({
    commands: readFileSync(`${at(index)}.log`, 'utf8')
      .split('\u{2}')
      .slice(0, -1)
      .map((words) => words.split('\u{1}').slice(0, -1)),
    files: readdirSync(at(index)),
  }));
}

/** Random lines that do not count as ones that may run anything. */
function readableLines(seed: number): ReadonlyMap<string, ShellView> {
  const views = new Map<string, ShellView>();
  for (let round = 0; views.size < count; round += 1) {
    for (const pieces of fc.sample(line, {numRuns: count, seed: seed + round})) {
      const text = pieces.join('');
      const view = createShellLines().view(text);
      if (!view.possible.isOpen && views.size < count) views.set(text, view);
    }
  }
  return views;
}

function isFound({possible: {commands, mentioned}}: ShellView, [name = '', ...words]: readonly string[]): boolean {
  const written = [programName(name), ...words];
  // Words with quotes or blanks cannot be written as a pattern.
  if (!written.every((word) => /^[\w./-]+$/u.test(word))) return true;
  const pattern = compileCommandPattern(written.join(' '), policyPorts.compileRegex);
  if (!pattern.ok) return true;
  const {possibly, possiblyIn} = pattern.value;
  return commands.some(possibly) || mentioned.some(possiblyIn);
}

const shells = [['bash', '--norc'], ['bash', '--posix'], ['dash'], ['busybox', 'sh']] as const;
const paths = new Map(
  shells.map(([name]) => [name, spawnSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).stdout.trim()]),
);

for (const [name, ...args] of shells) {
  test.skipIf(paths.get(name) === '')(
    `${[name, ...args].join(' ')} runs no command that the parser did not find`,
    () => {
      if (!readdirSync(folder).includes('programs')) writePrograms();
      const seed = Date.now() % 2 ** 31;
      const views = readableLines(seed);
      const runs = runIn([paths.get(name) ?? '', ...args], [...views.keys()]);
      let certain = 0;
      for (const [index, [text, view]] of [...views].entries()) {
        const shown = `seed ${seed}: ${JSON.stringify(text)}`;
        const {commands, files} = runs[index] ?? {commands: [], files: []};
        if (view.certain) expect(files, shown).toEqual([]);
        if (view.certain && commands.length > 0) certain += 1;
        for (const words of commands) expect(isFound(view, words), `${shown} runs ${words.join(' ')}`).toBe(true);
        // Other programs run what they are given.
        if (view.certain?.every(([first = '']) => /^[abk]+$/u.test(first)) !== true) continue;
        const found = view.certain.map((words) => JSON.stringify(words));
        for (const [first = '', ...words] of commands)
          expect(found, shown).toContain(JSON.stringify([programName(first), ...words]));
      }
      expect(certain).toBeGreaterThan(0);
    },
  );
}

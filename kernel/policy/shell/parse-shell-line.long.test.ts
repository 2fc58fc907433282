// Random command lines against bash itself: what it runs is what the parser found.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {policyPorts} from '../policy-ports.fixture.ts';
import {compileCommandPattern} from '../command-pattern.ts';
import {createShellLines} from './shell-lines.ts';

const count = 4_500;
const piece = fc.constantFrom(
  ...'a b c dd xargs env sh -c \'a b\' "b c" \' " \\ \\\n \n \t $ $x ${x} $(a) $(b c) ` ; & | && || < > >> >& 2 1 ( ) { } ~ * ? [ ] = x= # ! <<'
    .split(' ')
    .filter((text) => text !== ''),
  ' ',
  ' ',
  ' ',
  '$IFS',
  "'",
  '"',
  '\\ ',
);
const line = fc.array(piece, {minLength: 1, maxLength: 12}).map((pieces) => pieces.join(''));

/** No program is found, so bash reports each command that it would run, in one write, because commands of a pipe run at the same time. */
const script = `
command_not_found_handle() { local words; printf -v words '%s\\x01' "$@"; printf '%s\\x02' "$words" >> "$LOG/$i"; }
export PATH=/nonexistent; i=0
while IFS= read -r -d '' line; do
  : > "$LOG/$i"
  (cd "$WORK" && eval "$line"; wait) < /dev/null > /dev/null 2>&1
  i=$((i + 1))
done < "$LINES"
`;

function runInBash(lines: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-shell-'));
  try {
    const [log, work, file] = ['log', 'work', 'lines'].map((name) => join(folder, name));
    execFileSync('mkdir', [log ?? '', work ?? '']);
    writeFileSync(file ?? '', lines.map((text) => `${text}\0`).join(''));
    const env = {LOG: log, WORK: work, LINES: file, BASH_ENV: ''};
    execFileSync('bash', ['--norc', '-c', script], {env, stdio: 'ignore'});
    return lines.map((_text, index) =>
      readFileSync(join(log ?? '', String(index)), 'utf8')
        .split('\u{2}')
        .slice(0, -1)
        .map((command) => command.split('\u{1}').slice(0, -1)),
    );
  } finally {
    rmSync(folder, {recursive: true});
  }
}

test('bash runs no command that the parser did not find', () => {
  const seed = Date.now() % 2 ** 31;
  const lines = fc.sample(line, {numRuns: count, seed});
  const ran = runInBash(lines);
  const shellLines = createShellLines();
  let certain = 0;
  for (const [index, text] of lines.entries()) {
    const view = shellLines.view(text);
    const shown = `seed ${seed}: ${JSON.stringify(text)}`;
    if (view.certain && (ran[index]?.length ?? 0) > 0) certain += 1;
    for (const words of ran[index] ?? []) {
      if (view.certain) expect(view.certain, shown).toContainEqual(words);
      const pattern = compileCommandPattern(words.join(' '), policyPorts.compileRegex);
      // Words with quotes or blanks cannot be written as a pattern.
      if (!pattern.ok || words.some((word) => word.includes(' '))) continue;
      const {isOpen, commands} = view.possible;
      expect(isOpen || commands.some((command) => pattern.value.possibly(command)), shown).toBe(true);
    }
  }
  expect(certain).toBeGreaterThan(count / 100);
});

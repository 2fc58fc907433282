// Runs a page of docs: its blocks in their order, in a folder that is empty at first.
//
//   ```sh                   run as one script, which must succeed; `cd` holds for the blocks after it
//   ```sh fails CODE        one line that must fail and name the code
//   ```LANG path            the whole file; with `(append)` after the path, its end
//   ```text output          lines of what the last script printed; `…` stands for anything
//   ```LANG of path         lines of that file of the repository
//   ```LANG not run: WHY    only shown
import {spawnSync} from 'node:child_process';
import {appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {copyBuilds, keepBuilds} from './kept-builds.ts';
import {removeTree} from './remove-tree.ts';

const repository = join(import.meta.dirname, '..', '..');
// Inside the repository, so that the packages are found as they are once installed.
const scratch = join(repository, 'node_modules/.cache');

export interface DocBlock {
  readonly info: string;
  readonly text: string;
  /** Of the line that it begins at, from 1. */
  readonly line: number;
}

/** The fenced blocks of a page; one that says nothing about itself has an empty `info`. */
export function blocksOf(markdown: string): readonly DocBlock[] {
  return [...markdown.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map((match) => ({
    info: match[1] ?? '',
    text: match[2] ?? '',
    line: markdown.slice(0, match.index).split('\n').length,
  }));
}

const forms = {
  shown: /^\w+ not run: .{10,}$/,
  script: /^sh$/,
  failing: /^sh fails ([A-Z_]+)$/,
  output: /^text output$/,
  lines: /^\w+ of (\S+)$/,
  appended: /^\w+ (\S+) \(append\)$/,
  written: /^\w+ (\S+)$/,
};

type Form = keyof typeof forms;

function formOf(info: string): {readonly form: Form; readonly groups: readonly string[]} | undefined {
  for (const form of Object.keys(forms) as Form[]) {
    const groups = forms[form].exec(info)?.slice(1);
    if (groups !== undefined) return {form, groups};
  }
  return undefined;
}

/** Whether the info string of a block has one of the forms above. */
export const isDocForm = (info: string): boolean => formOf(info) !== undefined;

export interface DocStage {
  /** Throws Error with the failure. */
  play(block: DocBlock): void;
  /** The text of a file that the page has made. */
  read(path: string): string;
  remove(): void;
}

export function createDocStage(): DocStage {
  mkdirSync(scratch, {recursive: true});
  const home = mkdtempSync(join(scratch, 'docs-'));
  let folder = home;
  let printed = '';

  function script(text: string): {readonly status: number | null; readonly output: string} {
    const path = [join(repository, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    const place = join(home, '.place');
    const isFirst = text.startsWith('lumenflow init\n');
    if (isFirst) copyBuilds(folder);
    const {status, stdout, stderr} = spawnSync('sh', ['-c', `set -e\n${text}\npwd > "$PLACE"`], {
      cwd: folder,
      env: {...process.env, PATH: path, PLACE: place},
      encoding: 'utf8',
    });
    if (status === 0) folder = readFileSync(place, 'utf8').trim();
    if (status === 0 && isFirst) keepBuilds(folder);
    printed = stdout;
    return {status, output: `${stdout}${stderr}`};
  }

  const plays: Record<Form, (block: DocBlock, groups: readonly string[]) => void> = {
    shown: () => undefined,
    script({text}) {
      const {status, output} = script(text);
      if (status !== 0) throw new Error(`it ended with ${status}:\n${output}`);
    },
    failing({text}, [code = '']) {
      const {status, output} = script(text);
      if (status === 0 || !output.includes(code)) throw new Error(`it should fail with ${code}: ${status}\n${output}`);
    },
    output: ({text}) => assertLines(printed, text),
    lines: ({text}, [path = '']) => assertLines(readFileSync(join(repository, path), 'utf8'), text),
    appended: ({text}, [path = '']) => appendFileSync(join(folder, path), text),
    written({text}, [path = '']) {
      mkdirSync(dirname(join(folder, path)), {recursive: true});
      writeFileSync(join(folder, path), text);
    },
  };

  return {
    play(block) {
      const found = formOf(block.info);
      if (found === undefined) throw new Error(`\`${block.info}\` does not say how it is tested`);
      plays[found.form](block, found.groups);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    remove: () => removeTree(home),
  };
}

/** Each line, and in this order; lines between them may be left out. */
function assertLines(found: string, shown: string): void {
  let rest = found.split('\n').map((line) => line.trim());
  for (const line of shown.split('\n').map((text) => text.trim())) {
    if (line === '') continue;
    const form = new RegExp(`^${line.split('…').map(escaped).join('.*')}$`);
    const at = rest.findIndex((candidate) => form.test(candidate));
    if (at === -1) throw new Error(`there is no line \`${line}\` in\n${found}`);
    rest = rest.slice(at + 1);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {die, program} from './support/program.mjs';

export function main() {
  const {max} = program('debts', 'Lists `later:` comments')
    .option('--max <n>', 'fail if there are more', '10')
    .parse()
    .opts();
  const files = readdirSync('src', {recursive: true})
    .filter((path) => /\.(m?js|ts)$/.test(path))
    .toSorted((one, other) => (one < other ? -1 : 1));
  const found = files.flatMap((path) =>
    readFileSync(join('src', path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (/\/\/ later:/.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  for (const line of found) console.log(line);
  if (found.length > Number(max)) die(`found ${found.length}, at most ${max} allowed`, 2);
}

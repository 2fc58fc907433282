import {readFile} from 'node:fs/promises';
import {die, program} from './support/program.mjs';

export async function main() {
  const [path] = program('owners', 'Shows the owners of a path').argument('<path>').parse().args;
  const rules = (await readFile('CODEOWNERS', 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const rule = rules
    .map((line) => line.split(/\s+/))
    .findLast(([prefix]) => path.startsWith(prefix.replace(/^\//, '')));
  if (rule === undefined) die(`${path} has no owner`);
  console.log(rule.slice(1).join(' '));
}

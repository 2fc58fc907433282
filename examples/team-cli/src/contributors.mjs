import {execFileSync} from 'node:child_process';
import {program} from './support/program.mjs';

export function main() {
  program('contributors', 'Counts commits by author').parse();
  process.stdout.write(execFileSync('git', ['shortlog', '--summary', '--numbered', 'HEAD'], {encoding: 'utf8'}));
}

import {execFileSync} from 'node:child_process';
import {program} from './support/program.mjs';

export function main() {
  program('contributors', 'Who committed how much').parse();
  process.stdout.write(execFileSync('git', ['shortlog', '--summary', '--numbered', 'HEAD'], {encoding: 'utf8'}));
}

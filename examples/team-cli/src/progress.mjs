import {setTimeout as wait} from 'node:timers/promises';
import {program} from './support/program.mjs';

export async function main() {
  program('progress', 'Shows the progress of a slow command').parse();
  for (const percent of [0, 50, 100]) {
    await wait(5);
    process.stderr.write(`\r${percent}%`);
  }
  process.stderr.write('\n');
  process.exitCode = 0;
  console.log('ready');
}

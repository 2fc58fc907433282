import {createWriteStream} from 'node:fs';
import {once} from 'node:events';
import {program} from './support/program.mjs';

export async function main() {
  const words = program('note', 'Adds a line to the notes').argument('<words...>').parse().args;
  const stream = createWriteStream('NOTES.md', {flags: 'a'});
  stream.end(`- ${words.join(' ')}\n`);
  await once(stream, 'finish');
  console.log('noted');
}

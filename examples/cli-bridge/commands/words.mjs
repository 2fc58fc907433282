// A command of this workspace: counts the words of a file.
import {readFile} from 'node:fs/promises';

export async function main() {
  const [, path] = process.argv.slice(2);
  const words = (await readFile(path, 'utf8')).match(/\p{L}+/gu) ?? [];
  console.log(`${words.length} ${path}`);
}

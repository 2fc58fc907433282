import {readFile, writeFile} from 'node:fs/promises';
import {program} from './support/program.mjs';

export async function main() {
  const files = program('tidy', 'Removes white space at the ends of lines').argument('<files...>').parse().args;
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const tidy = text.replaceAll(/[ \t]+$/gm, '');
      if (tidy === text) return;
      await writeFile(file, tidy);
      console.log(`tidied ${file}`);
    }),
  );
}

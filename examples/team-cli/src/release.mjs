import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {program} from './support/program.mjs';

export function main() {
  program('release', 'Tags the version of the product').parse();
  const {version} = JSON.parse(readFileSync('product.json', 'utf8'));
  execFileSync('git', ['tag', `v${version}`]);
  console.log(`tagged v${version}`);
}

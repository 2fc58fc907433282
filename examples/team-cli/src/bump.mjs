import {readFileSync, writeFileSync} from 'node:fs';
import {die, program} from './support/program.mjs';

export function main() {
  const [part] = program('bump', 'Raises the version of the product').argument('<part>').parse().args;
  const index = ['major', 'minor', 'patch'].indexOf(part);
  if (index < 0) die(`${part} is not major, minor or patch`);
  const product = JSON.parse(readFileSync('product.json', 'utf8'));
  const numbers = product.version.split('.').map(Number);
  product.version = numbers.map((number, at) => (at < index ? number : at === index ? number + 1 : 0)).join('.');
  writeFileSync('product.json', `${JSON.stringify(product, null, 2)}\n`);
  console.log(product.version);
}

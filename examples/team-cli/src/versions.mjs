import {createRequire} from 'node:module';
import {resolve} from 'node:path';
import {program} from './support/program.mjs';

export function main() {
  const {json} = program('versions', "Lists the product's versions").option('--json').parse().opts();
  const {name, version} = createRequire(import.meta.url)(resolve('product.json'));
  if (json) console.log(JSON.stringify({name, version}));
  else console.info(`${name} ${version}`);
}

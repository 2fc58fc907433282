// `npm run docs`: writes the pages of reference that are generated into docs/reference.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {referenceFolder, stalePages, writePages} from './reference-pages.ts';

mkdirSync(referenceFolder, {recursive: true});
const wanted = writePages();
const stale = stalePages(referenceFolder, wanted);
for (const name of stale) writeFileSync(join(referenceFolder, name), wanted.get(name) ?? '');
process.stdout.write(stale.length === 0 ? 'all pages are up to date\n' : `wrote ${stale.join(', ')}\n`);

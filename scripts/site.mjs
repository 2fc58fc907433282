// `npm run site`: builds docs/ into docs/dist/, static pages with search. `-- --open` serves them at http://localhost:4173.
import {join} from 'node:path';
import {installCached} from './cached-package.mjs';
import {repository, runForeground} from './run.mjs';

const vitepress = installCached('vitepress@1.6.4', 'bin/vitepress.js', 'npm run site');
const docs = join(repository, 'docs');
const built = await runForeground(process.execPath, [vitepress, 'build', docs]);
process.exitCode =
  built === 0 && process.argv.includes('--open')
    ? await runForeground(process.execPath, [vitepress, 'preview', docs])
    : built;

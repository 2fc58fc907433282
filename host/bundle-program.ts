// A build step: bundles the compiled program `lumenflow`, because hundreds of small modules take several times longer to load
// than a few files.
import {build, type Plugin} from 'esbuild';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {basename, join, relative, sep} from 'node:path';

const compiled = import.meta.dirname;
const folder = join(compiled, 'program');
/** These modules find files beside them, or must exist once in the process. */
const external = [
  '@jitl/*',
  '@opentelemetry/api',
  '@seriousme/openapi-schema-validator',
  'esbuild',
  'json-schema-to-typescript',
  'piscina',
];
/** A running program may still load parts of an older bundle. */
const keptMs = 24 * 60 * 60 * 1000;

/** Modules of the host find files relative to themselves, not to the bundle. Modules that are required late are bundled too. */
const asCompiled: Plugin = {
  name: 'as-compiled',
  setup({onLoad}) {
    onLoad({filter: /\.m?js$/}, async ({path}) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = path.startsWith(compiled + sep) ? relative(folder, path).split(sep).join('/') : '';
      const contents = text.replace('const require = createRequire(import.meta.url);', '');
      return {contents: `const compiledUrl = new URL(${JSON.stringify(place)}, bundleUrl).href;\n${contents}`};
    });
  },
};

const {outputFiles} = await build({
  entryPoints: [join(compiled, 'main.js')],
  outdir: folder,
  bundle: true,
  splitting: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external,
  plugins: [asCompiled],
  define: {'import.meta.url': 'compiledUrl'},
  banner: {
    js: `import {createRequire as createBundleRequire} from 'node:module';
const bundleUrl = import.meta.url;
const require = createBundleRequire(bundleUrl);`,
  },
  legalComments: 'none',
  logLevel: 'warning',
});

mkdirSync(folder, {recursive: true});
const isEntry = (path: string): boolean => basename(path) === 'main.js';
// Chunks are named by their content. The entry is renamed into place last, so that a program that starts now finds all its
// chunks.
for (const {path, contents} of outputFiles.toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)))) {
  if (existsSync(path) && !isEntry(path)) continue;
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}
// npm reads this file and leaves the older chunks out of the package; it is also the list of what was outdated before.
const outdatedList = join(folder, '.npmignore');
const outdatedBefore = new Set(existsSync(outdatedList) ? readFileSync(outdatedList, 'utf8').split('\n') : []);
const current = new Set(outputFiles.map(({path}) => basename(path)));
const now = Date.now();
const outdated: string[] = [];
for (const name of readdirSync(folder).filter((found) => !current.has(found) && found !== basename(outdatedList))) {
  const path = join(folder, name);
  // A chunk that was in use until now may be older than that.
  if (!outdatedBefore.has(name)) utimesSync(path, now / 1000, now / 1000);
  if (now - statSync(path).mtimeMs > keptMs) rmSync(path);
  else outdated.push(name);
}
writeFileSync(outdatedList, outdated.join('\n'));

// Who may import whom: the table of ARCHITECTURE.md, as data, and the packages it speaks of.

export interface Layer {
  /** The folder of this row; `*` matches one segment. The longest matching row decides. */
  readonly folder: string;
  /** Our packages whose public entries it may import, apart from `entriesToName`; `package/entry` means that one entry only. */
  readonly packages: readonly string[];
  /** Further ones that its tests may import. */
  readonly packagesInTests?: readonly string[];
  /** Our packages of which it may import types only. */
  readonly typesOf?: readonly string[];
  /** Node's own modules. */
  readonly node: 'no' | 'types' | 'yes';
  /** The few files in it that may load them anyway. */
  readonly nodeIn?: readonly string[];
  /** Packages of others: those its package.json declares, or none. */
  readonly npm: 'no' | 'declared';
}

export interface Package {
  readonly name: string;
  /** Relative to the repository; '' is the root. */
  readonly folder: string;
  /** Keys of `exports`, as `.` or `./entry`. */
  readonly entries: readonly string[];
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

const layers: readonly Layer[] = [
  {folder: 'schemas', packages: [], node: 'no', npm: 'no'},
  {
    folder: 'pack-sdk',
    packages: ['schemas'],
    node: 'types',
    // The end that runs in a pool thread or a sandbox turns a handler's path into something to import.
    // What authors' tests run may use files.
    nodeIn: ['pack-sdk/invoke.ts', 'pack-sdk/testing/temporary-workspace.ts', 'pack-sdk/testing/workspace-files.ts'],
    npm: 'declared',
  },
  // Gives commands that run in the process of a sandbox a process that looks like their own.
  {folder: 'pack-sdk/cli-adapter', packages: ['pack-sdk'], node: 'yes', npm: 'declared'},
  {folder: 'kernel', packages: ['schemas'], node: 'no', npm: 'no'},
  {folder: 'kernel/node', packages: ['kernel', 'kernel/adapters', 'schemas'], node: 'yes', npm: 'declared'},
  {
    folder: 'sandbox',
    packages: ['pack-sdk/invoke', 'pack-sdk/trusted-paths', 'pack-sdk/wire', 'schemas'],
    typesOf: ['kernel'],
    // What its workers sign, the kernel verifies.
    packagesInTests: ['kernel/adapters'],
    node: 'yes',
    npm: 'declared',
  },
  {
    folder: 'host',
    packages: ['schemas', 'pack-sdk', 'kernel', 'kernel/adapters', 'kernel/node', 'sandbox'],
    // Of the embedded engine.
    packagesInTests: ['kernel/conformance'],
    node: 'yes',
    npm: 'declared',
  },
  // What needs a separate client library. The host loads it where workspace.yaml names it.
  {
    folder: 'integrations/*',
    packages: ['kernel', 'kernel/adapters', 'sandbox/backends', 'sandbox/guest', 'schemas'],
    packagesInTests: ['kernel/node', 'sandbox', 'sandbox/conformance'],
    node: 'yes',
    npm: 'declared',
  },
  // Another store of a workspace's records.
  {
    folder: 'integrations/postgres',
    packages: ['kernel', 'kernel/adapters', 'kernel/node', 'schemas'],
    packagesInTests: ['kernel/conformance'],
    node: 'yes',
    npm: 'declared',
  },
  // An archive of a workspace's evidence.
  {
    folder: 'integrations/s3',
    packages: ['kernel', 'kernel/node', 'schemas'],
    packagesInTests: ['kernel/conformance'],
    node: 'yes',
    npm: 'declared',
  },
  // An engine of durable runs.
  {
    folder: 'integrations/restate',
    packages: ['kernel', 'kernel/adapters', 'schemas'],
    packagesInTests: ['kernel/conformance'],
    node: 'yes',
    npm: 'declared',
  },
  {
    folder: 'integrations/temporal',
    packages: ['kernel', 'kernel/adapters', 'schemas'],
    packagesInTests: ['kernel/conformance'],
    node: 'yes',
    npm: 'declared',
  },
  // A pack's tests validate its manifest.
  {folder: 'packs/*', packages: ['pack-sdk'], packagesInTests: ['schemas'], node: 'yes', npm: 'declared'},
  {folder: 'examples/*', packages: ['pack-sdk'], node: 'yes', npm: 'declared'},
  // The examples that are programs around the host, not packs.
  {folder: 'examples/own-backend', packages: ['sandbox'], node: 'yes', npm: 'declared'},
  {folder: 'examples/first-session', packages: ['host', 'sandbox'], node: 'yes', npm: 'declared'},
  {folder: 'examples/governed-agent', packages: ['host', 'pack-sdk'], node: 'yes', npm: 'declared'},
  {
    folder: 'examples/embedded-host',
    packages: ['host', 'kernel', 'kernel/node', 'pack-sdk'],
    node: 'yes',
    npm: 'declared',
  },
  {
    folder: 'test',
    packages: [
      'schemas',
      'pack-sdk',
      'kernel',
      'kernel/adapters',
      'kernel/conformance',
      'kernel/node',
      'sandbox',
      'host',
      'integrations/postgres',
      'integrations/postgres/testing',
      'integrations/restate/testing',
    ],
    node: 'yes',
    npm: 'declared',
  },
  // Run before anything is installed, so they have nothing but Node.
  {folder: 'scripts', packages: [], node: 'yes', npm: 'no'},
  // The configuration of the documentation site.
  {folder: 'docs', packages: [], node: 'yes', npm: 'no'},
];

/** Entries for adapters and their tests: a layer imports them only if its row names them. */
export const entriesToName: readonly string[] = ['kernel/adapters', 'kernel/conformance'];

/** Files that only development runs: they may use Node and the devDependencies in every layer. */
export const developmentFiles: readonly string[] = [
  'schemas/generate.ts',
  'sandbox/bundle-runner.mjs',
  'vitest.config.ts',
];

function matches(folder: string, path: string): boolean {
  const wanted = folder.split('/');
  const segments = path.split('/');
  return segments.length >= wanted.length && wanted.every((name, index) => name === '*' || name === segments[index]);
}

/** The row that rules a path, or an entry written as a path (`kernel/node`). */
export function layerOf(path: string, rows: readonly Layer[] = layers): Layer | undefined {
  return rows
    .filter((row) => matches(row.folder, path))
    .toSorted((a, b) => b.folder.length - a.folder.length)
    .at(0);
}

/** The package a file belongs to: the deepest that contains it. */
export function packageOf(path: string, packages: readonly Package[]): Package | undefined {
  return packages
    .filter(({folder}) => folder === '' || path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)
    .at(0);
}

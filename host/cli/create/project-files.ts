// The files of a new pack that concern npm, TypeScript and git.

export interface NewPack {
  readonly id: string;
  /** Address or relative path of manifest.schema.json. */
  readonly manifestSchema: string;
  /** Address or relative path of workspace.schema.json. */
  readonly workspaceSchema: string;
  /** Address or relative path of program.schema.json. */
  readonly programSchema: string;
  /** The version or folder from which npm installs `@lumenflow/pack-sdk`. */
  readonly packSdk: string;
  /** The version or folder of `@lumenflow/host`. */
  readonly host: string;
}

/** What the kinds of new packs add to package.json. */
export interface PackageParts {
  /** Published in addition to the manifest and the signature. */
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Text by path. */
export function projectFiles(pack: NewPack, parts: PackageParts): Readonly<Record<string, string>> {
  return {
    'package.json': `${JSON.stringify(packageJson(pack, parts), null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(tsconfig, null, 2)}\n`,
    '.gitignore': 'node_modules/\n.lumenflow/\n',
  };
}

function packageJson(
  {id, packSdk, host}: NewPack,
  {files, scripts, dependencies, devDependencies}: PackageParts,
): object {
  return {
    name: `lumenflow-pack-${id}`,
    version: '0.1.0',
    private: true,
    type: 'module',
    files: ['manifest.yaml', ...files, 'pack.sig'],
    scripts: {
      test: 'node --import tsx --test test/*.test.ts',
      check: 'tsc',
      dev: 'lumenflow pack dev',
      ...scripts,
    },
    dependencies: {'@lumenflow/pack-sdk': packSdk, ...dependencies},
    devDependencies: {
      '@lumenflow/host': host,
      '@types/node': '^20.19.0',
      ...devDependencies,
      tsx: '^4.23.15',
      typescript: '^7.0.2',
    },
    engines: {node: '>=20.19'},
  };
}

const tsconfig = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
};

// The package that keeps a workspace's records in PostgreSQL. It is loaded where workspace.yaml names it.
import {KernelError} from '@lumenflow/kernel';
import type {ArchiveStore, StateImport, WorkspaceState} from '@lumenflow/kernel/node';
import {findPackage} from '../find-package.ts';

const name = '@lumenflow/integration-postgres';
const urlEnvDefault = 'LUMENFLOW_DATABASE_URL';

export interface StateAddress {
  readonly url: string;
  readonly schema?: string | undefined;
}

/** A connection to the schema of a workspace. */
export interface StateDatabase {
  /** For people: without a password. */
  readonly location: string;
  close(): Promise<void>;
}

/** What the package exports, as far as the host uses it. */
export interface StatePackage {
  openPostgresState(
    options: StateAddress & {
      readonly leaseMs?: number | undefined;
      readonly onWarning?: (message: string) => void;
      readonly archive?: ArchiveStore | undefined;
    },
  ): Promise<WorkspaceState>;
  readonly Database: new (address: StateAddress) => StateDatabase;
  readonly newestVersion: number;
  versionOf(database: StateDatabase): Promise<number>;
  migrate(database: StateDatabase, to?: number): Promise<{readonly from: number; readonly to: number}>;
  grantUse(database: StateDatabase, role: string, options?: {readonly archives?: boolean}): Promise<void>;
  importToPostgres(database: StateDatabase): Promise<StateImport>;
}

/** Throws KernelError LOAD_FAILED if it is not installed. */
export async function loadStatePackage(workspaceRoot: string): Promise<StatePackage> {
  const url = findPackage(name, workspaceRoot);
  if (url !== undefined) return (await import(url)) as StatePackage;
  throw new KernelError(
    'LOAD_FAILED',
    `records in PostgreSQL need the package \`${name}\`: run \`npm install ${name}\` in the workspace`,
  );
}

/** Throws KernelError LOAD_FAILED if the environment does not have the address. */
export function stateAddress(
  {url_env = urlEnvDefault, schema}: {readonly url_env?: string; readonly schema?: string | undefined},
  env: Readonly<Record<string, string | undefined>>,
): StateAddress {
  const url = env[url_env];
  if (url !== undefined && url !== '') return {url, schema};
  throw new KernelError(
    'LOAD_FAILED',
    `the environment variable \`${url_env}\` is missing: set it to the address of the database, such as \`postgresql://user:password@server/database\``,
  );
}

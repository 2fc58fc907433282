// A PostgreSQL server of a test's own, on a socket in a temporary folder.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {Client} from 'pg';
import {Database} from '../connection/database.ts';
import {migrate} from '../schema/migrate.ts';

/** The server refuses to run as root. */
const user = process.getuid?.() === 0 ? {uid: 65_534, gid: 65_534} : {};

const startMs = 60_000;

const programs = programFolder();
/** Why the tests are skipped; undefined if they can run. */
export const noServer: string | undefined =
  programs === undefined
    ? 'PostgreSQL is not installed: `npm run engines -- postgres`, or `apt-get install postgresql`'
    : undefined;

export interface PostgresServer {
  /** A new database, with the schema of a workspace. */
  createDatabase(): Promise<string>;
  /** A new database without anything. */
  createEmptyDatabase(): Promise<string>;
  start(): Promise<void>;
  /** Ends the server and all its processes as a crash would. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export async function createPostgresServer(): Promise<PostgresServer> {
  if (programs === undefined) throw new Error(noServer);
  const {home, data} = initialize(programs);
  const url = (database: string): string =>
    `postgresql://lumenflow@localhost/${database}?host=${encodeURIComponent(home)}`;
  let child: ChildProcess | undefined;

  const hasEnded = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null;

  async function start(): Promise<void> {
    const options = ['-D', data, '-k', home, '-c', 'listen_addresses='];
    for (const deadline = performance.now() + startMs; ;) {
      // It refuses to start while processes of a killed server still end.
      if (hasEnded())
        child = spawn(join(programs ?? '', 'postgres'), options, {...user, cwd: home, stdio: 'ignore', detached: true});
      const client = new Client({connectionString: url('postgres')});
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await wait(50);
      }
    }
  }

  async function kill(): Promise<void> {
    if (child?.pid === undefined || hasEnded()) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  async function createEmptyDatabase(): Promise<string> {
    const name = `t${randomBytes(6).toString('hex')}`;
    const client = new Client({connectionString: url('postgres')});
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return url(name);
  }

  await start();
  return {
    start,
    kill,
    createEmptyDatabase,
    async createDatabase() {
      const created = await createEmptyDatabase();
      const database = new Database({url: created});
      await migrate(database);
      await database.close();
      return created;
    },
    async remove() {
      await kill();
      rmSync(home, {recursive: true, force: true});
    },
  };
}

/** An empty cluster. */
function initialize(from: string): {readonly home: string; readonly data: string} {
  const home = mkdtempSync(join(tmpdir(), 'lumenflow-postgres-'));
  const data = join(home, 'data');
  mkdirSync(data, {mode: 0o700});
  if (user.uid !== undefined) for (const folder of [home, data]) chownSync(folder, user.uid, user.gid);
  const options = ['--username=lumenflow', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  const made = spawnSync(join(from, 'initdb'), ['-D', data, ...options], {...user, encoding: 'utf8', cwd: home});
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  return {home, data};
}

/** Debian has a folder for each version. */
function programFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

// A workspace of an ordinary user, whose own host makes transactional calls.
import {execFile, execFileSync} from 'node:child_process';
import {chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {ResourceLimits, ToolOutput} from '@lumenflow/schemas';

const program = fileURLToPath(new URL('./transactional-writes-host.fixture.ts', import.meta.url));
const user = 65534;
/** A supplementary group of the user. */
export const teamGroup = 4242;

/** $1 is the mount point; the other arguments are the command. */
const mountScript = `
set -e
on=$1
shift
if [ -n "$on" ]; then mount -t tmpfs -o mode=777 tmpfs "$on"; echo mounted > "$on/f"; chmod 666 "$on/f"; fi
cd /
exec "$@"`;

export interface UserCall {
  readonly output: ToolOutput;
  readonly changes?: {readonly state: string; readonly entries: readonly unknown[]};
  readonly degraded: readonly string[];
}

export interface UserCallOptions {
  readonly writes?: 'direct' | 'transactional';
  readonly handler?: string;
  readonly limits?: ResourceLimits;
  /** The script of a nested call. */
  readonly nested?: string;
  /** Runs the host where a file system with a file `f` is mounted on this directory of the workspace. */
  readonly mountOn?: string;
  /** Runs the host as root. */
  readonly asRoot?: boolean;
}

export interface UserBench {
  readonly root: string;
  /** Runs a shell script as the user, outside of any sandbox. */
  shell(script: string): string;
  /** Runs a shell script as a call that may write to everything. */
  call(script: string, options?: UserCallOptions): Promise<UserCall>;
  close(): void;
}

/** Why the bench is unavailable: only root can become another user. */
export function whyNoUserBench(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'needs root to become another user';
}

export function openUserBench(): UserBench {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'held-user-')));
  chmodSync(base, 0o755);
  const root = join(base, 'work');
  const become = [`--reuid=${user}`, `--regid=${user}`, `--groups=${teamGroup}`];
  for (const folder of [root, join(base, 'state')]) {
    mkdirSync(folder, {mode: folder === root ? 0o755 : 0o700});
    chownSync(folder, user, user);
  }
  return {
    root,
    shell: (script) => execFileSync('setpriv', [...become, 'bash', '-c', script], {cwd: root, encoding: 'utf8'}),
    async call(
      script,
      {writes = 'transactional', handler = 'shell', limits = {}, nested = '', mountOn = '', asRoot = false} = {},
    ) {
      const node = [process.execPath, '--conditions=@lumenflow/source', '--import', import.meta.resolve('tsx')];
      const args = [program, root, script, '**', writes, handler, JSON.stringify(limits), nested];
      const host = [...(asRoot ? [] : ['setpriv', ...become]), ...node, ...args];
      const mounted = ['--mount', 'sh', '-c', mountScript, 'sh', mountOn, ...host];
      // A host does not accept another user's key.
      const key = join(base, 'state/journal.key');
      if (asRoot) rmSync(key, {force: true});
      const {stdout} = await promisify(execFile)('unshare', mounted, {
        env: {...process.env, HOME: '/nonexistent'},
        cwd: root,
      });
      if (asRoot) rmSync(key, {force: true});
      return JSON.parse(stdout) as UserCall;
    },
    close: () => rmSync(base, {recursive: true, force: true}),
  };
}

// A workspace of an ordinary user, and transactional calls that this user makes from a host of its own.
import {execFile, execFileSync} from 'node:child_process';
import {chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {ToolOutput} from '@lumenflow/schemas';

const program = fileURLToPath(new URL('./held-writes-host.fixture.ts', import.meta.url));
const user = 65534;
/** A group that the user is in besides its own. */
const teamGroup = 4242;

export interface UserCall {
  readonly output: ToolOutput;
  readonly degraded: readonly string[];
}

export interface UserBench {
  readonly root: string;
  /** Runs a shell script as the user, outside of any sandbox. */
  shell(script: string): string;
  /** Runs a shell script as a call that may write to everything. */
  call(script: string, writes?: 'direct' | 'transactional'): Promise<UserCall>;
  close(): void;
}

/** Why there is none: only root can become another user. */
export function whyNoUserBench(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'needs root to become another user';
}

export function openUserBench(): UserBench {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'held-user-')));
  chmodSync(base, 0o755);
  const root = join(base, 'work');
  const become = [`--reuid=${user}`, `--regid=${user}`, `--groups=${teamGroup}`];
  mkdirSync(root);
  chownSync(root, user, user);
  return {
    root,
    shell: (script) => execFileSync('setpriv', [...become, 'bash', '-c', script], {cwd: root, encoding: 'utf8'}),
    async call(script, writes = 'transactional') {
      const node = [process.execPath, '--conditions=@lumenflow/source', '--import', 'tsx'];
      const args = [...become, ...node, program, root, script, '**', writes];
      const {stdout} = await promisify(execFile)('setpriv', args, {env: {...process.env, HOME: '/nonexistent'}});
      return JSON.parse(stdout) as UserCall;
    },
    close: () => rmSync(base, {recursive: true, force: true}),
  };
}

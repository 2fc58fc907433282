// The machine before an attack: a workspace, another one, a home, and the secret in every place that a call must not reach. It is
// recreated before each attack, so that none helps the next one.
import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Setting} from './attack-pack/attack.ts';
import {mountsBelow, readText} from './look-outside.ts';

export interface Places {
  /** Contains everything except fixed paths. */
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly otherWorkspace: string;
  readonly home: string;
  readonly otherHome: string;
}

/** Stay as they are: the host works on them, a server listens there. */
const kept: ReadonlySet<string> = new Set(['.lumenflow', 'packs', 'workspace.yaml', 'agent.sock']);

export function makePlaces(base: string): Places {
  const places = {
    base,
    root: join(base, 'workspace'),
    outside: join(base, 'outside'),
    otherWorkspace: join(base, 'other'),
    home: join(base, 'home'),
    otherHome: '/srv/alice',
  };
  for (const folder of [places.root, places.outside, places.otherWorkspace, places.home]) mkdirSync(folder);
  return places;
}

export function resetPlaces(places: Places, secret: string, workspaceYaml: string): void {
  const {base, root, outside, otherWorkspace, home, otherHome} = places;
  // Deleting would go into what an attack has mounted.
  if (mountsBelow(base).length > 0) throw new Error(`something is mounted below ${base}`);
  if (readText(join(root, 'workspace.yaml')) !== workspaceYaml) write(root, {'workspace.yaml': workspaceYaml});
  for (const folder of [root, outside, otherWorkspace, home]) {
    chmodSync(folder, 0o755);
    if (readdirSync(folder).some((name) => name.includes('\u{FFFD}'))) {
      spawnSync('sh', ['-c', 'rm -rf "$1"/odd*', 'sh', folder]);
    }
    for (const name of readdirSync(folder)) {
      if (!kept.has(name) || folder === otherWorkspace) remove(join(folder, name));
    }
  }
  write(root, {
    '.env': secret,
    '.lumenflow/spare': secret,
    'docs/a.md': 'a\n',
    'secrets/key': secret,
    'work/deep/.env': secret,
    'work/.env.local': secret,
    'work/file': 'file\n',
    'work/sub/file': 'file\n',
    'fresh/file': 'file\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[core]\n\trepositoryformatversion = 0\n',
    '.git/objects/info/packs': '\n',
    '.git/refs/heads/.keep': '',
    '.git/hooks/pre-commit': 'original\n',
    '.git/info/attributes': 'original\n',
  });
  write(outside, {secret, file: 'original\n', 'sub/secret': secret});
  write(otherWorkspace, {'workspace.yaml': 'id: other\n', notes: secret});
  write(home, {
    '.ssh/id_ed25519': secret,
    '.aws/credentials': secret,
    '.netrc': secret,
    '.npmrc': secret,
    '.config/gh/hosts.yml': secret,
    '.docker/config.json': secret,
  });
  if (existsSync(dirname(otherHome))) tryToWrite(otherHome, {'.ssh/id_ed25519': secret, '.bash_history': secret});
  tryToWrite('/root', {'.lumenflow-escape': secret});
}

/** Also what an attack has locked, or given a name that is not UTF-8. */
function remove(path: string): void {
  try {
    rmSync(path, {recursive: true, force: true});
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', path]);
    spawnSync('rm', ['-rf', path]);
  }
  if (existsSync(path)) spawnSync('rm', ['-rf', path]);
}

/** Fixed places are not everybody's: attacks on them find nothing then, and are reported as impossible. */
function tryToWrite(folder: string, files: Readonly<Record<string, string>>): void {
  try {
    write(folder, files);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true});
    writeFileSync(join(folder, path), text);
  }
}

export type MachineFacts = Pick<
  Setting,
  'hostPid' | 'victimPid' | 'port' | 'udpPort' | 'guarded' | 'disposable' | 'deadlineMs' | 'poolDeadlineMs'
>;

export function settingOf(places: Places, marker: string, facts: MachineFacts): Setting {
  const {root, outside, otherWorkspace, home, otherHome} = places;
  return {root, outside, otherWorkspace, home, otherHome, marker, ...facts};
}

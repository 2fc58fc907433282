// Trusted files: what the sandbox hides or seals is replaced outside while a call runs, as editors and git do when they save.
import {appendFileSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {wrote, type Attack, type Setting} from '../attack.ts';

const waitMs = 4_000;

/** Tries until it works, from before the file is replaced: the call has as much time as it can get. */
async function persist(work: () => string | undefined): Promise<string> {
  const end = Date.now() + waitMs;
  for (let last = ''; ;) {
    try {
      const done = work();
      if (done !== undefined) return done;
    } catch (error) {
      last = String(error);
    }
    if (Date.now() > end) return last;
    await sleep(1);
  }
}

/** By a new file and a rename, with the content that `change` gives. */
const replace =
  (path: string, change: (text: string) => string) =>
  async ({root}: Setting): Promise<void> => {
    await sleep(500);
    const file = join(root, path);
    writeFileSync(`${file}.new`, change(readFileSync(file, 'utf8')));
    renameSync(`${file}.new`, file);
  };

const write = (name: string, title: string, path: string): Attack => ({
  name,
  title,
  attempts: [
    async ({root, marker}) => await persist(() => (appendFileSync(join(root, path), `# ${marker}\n`), 'written')),
  ],
  meanwhile: replace(path, (text) => `${text}\n`),
  succeeded: wrote(({root}) => join(root, path)),
});

const attacks: readonly Attack[] = [
  write('config-replaced', 'writes .git/config once it was replaced outside', '.git/config'),
  {
    ...write('envrc-replaced', 'writes .envrc once it was replaced outside', '.envrc'),
    prepare: ({root}) => writeFileSync(join(root, '.envrc'), 'original\n'),
  },
  write('workspace-replaced', 'writes workspace.yaml once it was replaced outside', 'workspace.yaml'),
  {
    name: 'env-replaced',
    title: 'reads .env once it was replaced outside',
    attempts: [async ({root}) => await persist(() => readFileSync(join(root, '.env'), 'utf8') || undefined)],
    meanwhile: replace('.env', (text) => text),
  },
];

/** A direct call may write between the replacement and its own end. */
export const replacedOutsideAttacks: readonly Attack[] = [
  ...attacks.map((attack): Attack => ({...attack, documented: true})),
  ...attacks.map((attack): Attack => ({
    ...attack,
    name: `held-${attack.name}`,
    title: `transactional: ${attack.title}`,
    lanes: ['held'],
  })),
];

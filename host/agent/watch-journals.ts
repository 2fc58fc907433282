// Notices that journals of sessions and workflows were written, by whichever process: looked at in turns, since their
// folder may not be there yet, and a look costs little.
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';

export interface JournalWatch {
  /** As if something had been written. */
  touch(): void;
  /** Waits for a change that is being dealt with. */
  close(): Promise<void>;
}

const lookMs = 500;
const folders = ['sessions', 'workflows'];

/** `onChange` is called again for what changed while it ran; never twice at once. It must not reject. */
export function watchJournals(root: string, onChange: () => Promise<void>): JournalWatch {
  let seen: string | undefined;
  let isStale = false;
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (isStale) {
      isStale = false;
      await onChange();
    }
    working = undefined;
  }
  function touch(): void {
    isStale = true;
    working ??= work();
  }
  async function look(): Promise<void> {
    const found = await sizesIn(root);
    if (found !== (seen ??= found)) touch();
    seen = found;
  }
  const timer = setInterval(() => void look(), lookMs).unref();
  return {
    touch,
    async close() {
      clearInterval(timer);
      isStale = false;
      await working;
    },
  };
}

/** Journals only grow. */
async function sizesIn(root: string): Promise<string> {
  const sizes = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder)).catch(() => []);
      return await Promise.all(names.map(async (name) => `${name} ${await sizeOf(join(root, folder, name))}`));
    }),
  );
  return sizes.flat().join('\n');
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({size}) => size,
    () => 0,
  );
}

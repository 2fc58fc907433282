// Watches the folders of packs in development, and requests a reload when their files have stopped changing.
import {watch} from 'chokidar';
import {basename} from 'node:path';

export interface PackWatchOptions {
  /** Absolute paths of folders or files. */
  readonly paths: readonly string[];
  /** Called again for changes during its run; never concurrently. */
  onChange(): Promise<void>;
  /** The system does not allow watching all paths. */
  onError(error: Error): void;
}

export interface PackWatch {
  /** Resolves once no change can be missed. */
  readonly ready: Promise<void>;
  /** Triggers the callback as if something had changed. */
  touch(): void;
  /** Waits for the callback that is running. */
  close(): Promise<void>;
}

/**
 * Editors and tools write several files, some of them twice, so files are read only after this quiet period.
 * Must be longer than 50 ms: for so long after a change, chokidar drops further changes of the same file.
 */
const restMs = 60;
/** Never part of a pack; the runtime itself writes to some of them. */
const skipped: ReadonlySet<string> = new Set(['.git', '.lumenflow', 'node_modules']);

export function watchPacks({paths, onChange, onError}: PackWatchOptions): PackWatch {
  const watcher = watch([...paths], {
    ignoreInitial: true,
    ignored: (path) => skipped.has(basename(path)) && !paths.includes(path),
  });
  let resting: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let isStale = false;

  async function work(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        await onChange();
      }
    } finally {
      working = undefined;
    }
  }

  watcher.on('error', (error) => onError(error instanceof Error ? error : new Error(String(error))));
  function touch(): void {
    isStale = true;
    working ??= work();
  }
  watcher.on('all', () => {
    clearTimeout(resting);
    resting = setTimeout(touch, restMs);
  });
  return {
    touch,
    ready: new Promise((resolve) => void watcher.once('ready', resolve)),
    async close() {
      await watcher.close();
      clearTimeout(resting);
      isStale = false;
      await working;
    },
  };
}

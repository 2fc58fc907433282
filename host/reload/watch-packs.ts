// Watches the folders of packs that are being written, and asks for a reload when they have come to rest.
import {watch} from 'chokidar';
import {basename} from 'node:path';

export interface PackWatchOptions {
  /** Folders, or files; absolute. */
  readonly paths: readonly string[];
  /** Called again for what changed while it ran; never twice at once. */
  onChange(): Promise<void>;
  /** The system does not let it watch, or not everything. */
  onError(error: Error): void;
}

export interface PackWatch {
  /** Resolves once a change cannot be missed any more. */
  readonly ready: Promise<void>;
  /** As if something had changed. */
  touch(): void;
  /** Waits for a change that is being dealt with. */
  close(): Promise<void>;
}

/** Editors and tools write several files, some of them twice: only what rests this long is read. */
const restMs = 30;
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

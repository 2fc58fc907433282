// Saves the runner image as a file, for registries and for nodes of clusters, which no engine of this machine serves.
import {realpathSync} from 'node:fs';
import {open, rm, type FileHandle} from 'node:fs/promises';
import {createSpawnExecutor} from '../../commands/create-spawn-executor.ts';
import {failed, ok, type Outcome} from '../../outcome.ts';
import {withImageArchive} from './image-archive.ts';
import {imageFiles} from './image-files.ts';
import {keyOf} from './runner-image.ts';

export interface SavedImage {
  /** `sha256:…` of its configuration. */
  readonly id: string;
  /** With its tag, as importers call it. */
  readonly name: string;
  readonly bytes: number;
}

/** `path`: must not exist. */
export async function saveRunnerImage(path: string, nodePath: string = process.execPath): Promise<Outcome<SavedImage>> {
  try {
    // Before the image is built, which takes seconds.
    const file = await open(path, 'wx');
    return ok(await writeImage(file, path, nodePath));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed({
      message: `the runner image could not be saved (\`${message}\`)`,
      help: 'name a new file in a directory that exists',
    });
  }
}

/** A part of an image is not an image: it is removed. */
async function writeImage(file: FileHandle, path: string, nodePath: string): Promise<SavedImage> {
  try {
    const files = await imageFiles({nodePath: realpathSync(nodePath), executor: createSpawnExecutor()});
    return await withImageArchive(files, keyOf(files), async ({archive, id, name}) => {
      for await (const part of archive) await file.appendFile(part);
      return {id, name, bytes: (await file.stat()).size};
    });
  } catch (error) {
    await rm(path, {force: true});
    throw error;
  } finally {
    await file.close();
  }
}

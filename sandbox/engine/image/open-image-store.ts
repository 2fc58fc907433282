// The runner images of an engine, for people who want to see, build or remove them.
import {realpathSync} from 'node:fs';
import {createSpawnExecutor} from '../../commands/create-spawn-executor.ts';
import {failed, ok, type Outcome} from '../../outcome.ts';
import {createEngineClient, type EngineFailure} from '../engine-client.ts';
import {engines, type EngineBackendName} from '../engines.ts';
import {findSocket} from '../find-socket.ts';
import {ensureImage, listImages, removeImage, type RunnerImage} from './runner-image.ts';

export interface ImageStore {
  /** The image for this machine's programs as they are now, which the engine may have already. */
  build(): Promise<Outcome<RunnerImage>>;
  list(): Promise<Outcome<readonly RunnerImage[]>>;
  /** Removes those that are not current, and returns them. Containers that run keep theirs. */
  prune(): Promise<Outcome<readonly RunnerImage[]>>;
}

export interface ImageStoreOptions {
  /** Absolute; default: the first that exists. */
  readonly socket?: string | undefined;
  /** Default: the Node that runs this program. */
  readonly nodePath?: string;
}

/** A container of a call has it. */
const inUse = 409;

export function openImageStore(
  backend: EngineBackendName,
  {socket, nodePath = process.execPath}: ImageStoreOptions = {},
): Outcome<ImageStore> {
  const found = findSocket(engines[backend], socket);
  if (!found.ok) return found;
  const engine = createEngineClient(found.value);
  const source = {nodePath: realpathSync(nodePath), executor: createSpawnExecutor()};
  const refused = ({message}: EngineFailure) =>
    failed({message: `${backend} refused (\`${message}\`)`, help: 'correct what it reports, and retry'});

  async function list(): Promise<Outcome<readonly RunnerImage[]>> {
    const images = await listImages(engine, source);
    return images.ok ? images : refused(images.problem);
  }

  return ok({
    build: async () => await ensureImage(engine, source),
    list,
    async prune() {
      const images = await list();
      if (!images.ok) return images;
      const old = images.value.filter(({isCurrent}) => !isCurrent);
      const pruned: RunnerImage[] = [];
      for (const image of old) {
        const removed = await removeImage(engine, image.id);
        if (removed.ok) pruned.push(image);
        else if (removed.problem.status !== inUse) return refused(removed.problem);
      }
      return ok(pruned);
    },
  });
}

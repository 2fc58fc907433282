// The image that containers of calls are started from. It is built from this machine's own files and loaded into the engine, without
// a registry. Its id is the hash of its content; its label, of what it was built from.
import {createHash} from 'node:crypto';
import {Readable} from 'node:stream';
import {failed, ok, type Outcome} from '../../outcome.ts';
import type {SandboxProblem} from '../../sandbox-problem.ts';
import type {EngineClient, EngineFailure} from '../engine-client.ts';
import {imageFiles, type ImageSource} from './image-files.ts';
import {imageLabel, withImageArchive} from './image-archive.ts';
import type {TarEntry} from './tar-archive.ts';

export interface RunnerImage {
  /** `sha256:…` of its configuration, which contains the hash of its files. */
  readonly id: string;
  readonly bytes: number;
  /** Whether it was built from the files that this machine has now. */
  readonly isCurrent: boolean;
}

const loadMs = 300_000;

/** All of this engine, current or not. */
export async function listImages(
  engine: EngineClient,
  source: ImageSource,
): Promise<Outcome<readonly RunnerImage[], EngineFailure>> {
  return await imagesOf(engine, keyOf(await imageFiles(source)));
}

/** The current one; undefined if the engine does not have it. */
export async function findImage(engine: EngineClient, source: ImageSource): Promise<Outcome<RunnerImage | undefined>> {
  return await currentImage(engine, keyOf(await imageFiles(source)));
}

async function currentImage(engine: EngineClient, key: string): Promise<Outcome<RunnerImage | undefined>> {
  const known = await imagesOf(engine, key);
  return known.ok ? ok(known.value.find(({isCurrent}) => isCurrent)) : failed(notBuilt(known.problem));
}

/** Likewise; builds it if the engine does not have it. */
export async function ensureImage(engine: EngineClient, source: ImageSource): Promise<Outcome<RunnerImage>> {
  const files = await imageFiles(source);
  const key = keyOf(files);
  const current = await currentImage(engine, key);
  if (!current.ok) return current;
  if (current.value !== undefined) return ok(current.value);
  const loaded = await loadImage(engine, files, key);
  if (!loaded.ok) return failed(notBuilt(loaded.problem));
  const images = await imagesOf(engine, key);
  const built = images.ok ? images.value.find(({id}) => id === loaded.value) : undefined;
  return built === undefined
    ? failed(notBuilt({status: undefined, message: 'the engine does not list it'}))
    : ok(built);
}

export async function removeImage(engine: EngineClient, id: string): Promise<Outcome<unknown, EngineFailure>> {
  return await engine.send({method: 'DELETE', path: `/images/${id}`});
}

interface ListedImage {
  readonly Id: string;
  readonly Size: number;
  readonly Labels: Readonly<Record<string, string>> | null;
}

async function imagesOf(engine: EngineClient, key: string): Promise<Outcome<readonly RunnerImage[], EngineFailure>> {
  const filters = encodeURIComponent(JSON.stringify({label: [imageLabel]}));
  const answer = await engine.list<ListedImage>(`/images/json?filters=${filters}`);
  if (!answer.ok) return answer;
  return ok(
    answer.value.filter(isListed).map(({Id, Size, Labels}) => ({
      id: Id.startsWith('sha256:') ? Id : `sha256:${Id}`,
      bytes: Size,
      isCurrent: Labels?.[imageLabel] === key,
    })),
  );
}

function isListed({Id, Size}: ListedImage): boolean {
  return typeof Id === 'string' && Number.isFinite(Size);
}

/** Names, sizes and times: reading all files at each start of a host would take longer than the start. */
export function keyOf(files: readonly TarEntry[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

async function loadImage(
  engine: EngineClient,
  files: readonly TarEntry[],
  key: string,
): Promise<Outcome<string, EngineFailure>> {
  try {
    return await withImageArchive(files, key, async ({archive, id}) => {
      const body = Readable.from(archive);
      const loaded = await engine.send({method: 'POST', path: '/images/load?quiet=1', body, timeoutMs: loadMs});
      if (!loaded.ok) return loaded;
      const message = loadError(loaded.value);
      return message === undefined ? ok(id) : failed({status: undefined, message});
    });
  } catch (error) {
    return failed({status: undefined, message: error instanceof Error ? error.message : String(error)});
  }
}

/** Docker reports success before it has stored anything, and an error only in one of the lines of JSON that follow. */
export function loadError(answer: unknown): string | undefined {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const [, message] = /"error":("(?:[^"\\]|\\.)*")/u.exec(text) ?? [];
  return message === undefined ? undefined : (JSON.parse(message) as string);
}

function notBuilt({message}: EngineFailure): SandboxProblem {
  return {
    message: `the runner image could not be built (\`${message}\`)`,
    help: message.includes('no space left')
      ? 'free space where the engine stores its images, and retry'
      : 'run `lumenflow sandbox image build`, which reports each step',
  };
}

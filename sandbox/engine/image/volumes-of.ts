// The folders that an image declares as volumes. An engine creates each of them for a container, writable and without a bound.
import {normalize} from 'node:path/posix';
import {ok, type Outcome} from '../../outcome.ts';
import type {EngineClient, EngineFailure} from '../engine-client.ts';

interface InspectedImage {
  readonly Config?: {readonly Volumes?: Readonly<Record<string, unknown>> | null} | null;
}

/** Absolute paths inside. */
export async function volumesOf(
  engine: EngineClient,
  image: string,
): Promise<Outcome<readonly string[], EngineFailure>> {
  const answer = await engine.describe(`/images/${image}/json`);
  if (!answer.ok) return answer;
  const volumes = Object.keys((answer.value as InspectedImage).Config?.Volumes ?? {});
  return ok(volumes.map((path) => normalize(`/${path}/`).slice(0, -1)));
}

// Uploads the contents that a worker does not have.
import {readFile} from 'node:fs/promises';
import type {ChangedEntry} from '../packed-files/file-mirror.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {contentsBytes, packContents} from './packed-contents.ts';
import {readMissing} from './worker-replies.ts';
import type {WorkerClient} from './worker-client.ts';

const requestMs = 120_000;

/** `present`: digests that the worker is known to have; those that it has now are added. */
export async function uploadContents(
  client: WorkerClient,
  files: readonly ChangedEntry[],
  present: Set<string>,
): Promise<Outcome<undefined>> {
  const byDigest = new Map(files.flatMap(({entry, at}) => (entry.sha256 === undefined ? [] : [[entry.sha256, at]])));
  const unknown = [...byDigest.keys()].filter((sha256) => !present.has(sha256));
  if (unknown.length === 0) return ok(undefined);
  const asked = await client.send({
    method: 'POST',
    path: '/v1/contents/missing',
    body: Buffer.from(JSON.stringify(unknown)),
    timeoutMs: requestMs,
  });
  if (!asked.ok) return asked;
  const missing = readMissing(asked.value, client);
  if (!missing.ok) return missing;
  const sent = await sendAll(
    client,
    [...new Set(missing.value)].flatMap((sha256) => byDigest.get(sha256) ?? []),
  );
  if (sent !== undefined) return failed(sent);
  for (const sha256 of unknown) present.add(sha256);
  return ok(undefined);
}

async function sendAll(client: WorkerClient, paths: readonly string[]): Promise<SandboxProblem | undefined> {
  let contents: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<SandboxProblem | undefined> => {
    if (contents.length === 0) return undefined;
    const body = packContents(contents);
    [contents, bytes] = [[], 0];
    const stored = await client.send({method: 'PUT', path: '/v1/contents', body, timeoutMs: requestMs});
    return stored.ok ? undefined : stored.problem;
  };
  for (const path of paths) {
    // One that has gone since is missing on the worker, which reports it.
    const content = await readFile(path).catch(() => undefined);
    if (content === undefined) continue;
    if (bytes + content.length > contentsBytes) {
      const problem = await flush();
      if (problem !== undefined) return problem;
    }
    contents.push(content);
    bytes += content.length;
  }
  return await flush();
}

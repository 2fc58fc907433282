// One request to a witness, from its body to its answer. Processes that serve the same folder take turns, so that none of them cosigns
// what another one has already passed.
import {judgeCheckpoint, parseWitnessRequest} from '@lumenflow/kernel/adapters';
import {parseVerifierKey, sha256Bytes, type WorkspaceLock} from '@lumenflow/kernel/node';
import type {WitnessFolder} from './witness-folder.ts';

export interface CosignAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly contentType: 'text/plain; charset=utf-8' | 'text/x.tlog.size';
  readonly body: string;
  /** Undefined if the checkpoint has none. */
  readonly origin: string | undefined;
  /** Why it is not cosigned. */
  readonly reason?: string;
}

export interface Cosigning {
  readonly folder: WitnessFolder;
  readonly lock: Pick<WorkspaceLock, 'enter' | 'leave'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const text = 'text/plain; charset=utf-8';

export async function cosignCheckpoint(body: string, {folder, lock, now}: Cosigning): Promise<CosignAnswer> {
  const request = parseWitnessRequest(body);
  if (request === undefined) {
    const reason = 'the body is not `old SIZE`, the lines of a proof, an empty line and a checkpoint';
    return {status: 400, contentType: text, body: `${reason}\n`, origin: undefined, reason};
  }
  await lock.enter();
  try {
    let asked: string | undefined;
    const decision = judgeCheckpoint(request, {
      hash: sha256Bytes,
      logOf(origin) {
        asked = origin;
        const keys = folder.logs().filter((log) => log.origin === origin);
        if (keys.length === 0) return undefined;
        return {verifiers: keys.flatMap(({key}) => parseVerifierKey(key) ?? []), newest: folder.head(origin)};
      },
    });
    if (decision.status !== 200) {
      const {status, reason} = decision;
      if (decision.status === 409) {
        return {status, contentType: 'text/x.tlog.size', body: `${decision.size}\n`, origin: asked, reason};
      }
      return {status, contentType: text, body: `${reason}\n`, origin: asked, reason};
    }
    const {origin, size, root} = decision.checkpoint;
    if (size !== request.oldSize || size === 0) folder.keepHead(origin, {size, root});
    const line = folder.key.cosign(decision.text, Math.floor(now() / 1000));
    return {status: 200, contentType: text, body: line, origin};
  } finally {
    lock.leave();
  }
}

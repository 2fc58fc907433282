// C2SP tlog checkpoints: the origin of a log, its size and its root, as the text of a signed note.
// https://c2sp.org/tlog-checkpoint.
import {decodeBase64, encodeBase64} from './base64.ts';

export interface Checkpoint {
  /** Which log this is a head of. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Extension lines: what else the signer vouches for. */
  readonly extensions: readonly string[];
}

export function checkpointText(checkpoint: Checkpoint): string {
  const {origin, size, root, extensions} = checkpoint;
  return [origin, size, encodeBase64(root), ...extensions].map((line) => `${line}\n`).join('');
}

/** Undefined when the text is not a checkpoint. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin, sizeText, rootText, ...rest] = text.split('\n');
  if (!origin || sizeText === undefined || rootText === undefined || rest.at(-1) !== '') return undefined;
  const size = /^(?:0|[1-9][0-9]{0,14})$/u.test(sizeText) ? Number(sizeText) : undefined;
  const root = decodeBase64(rootText);
  if (size === undefined || root?.length !== 32) return undefined;
  return {origin, size, root, extensions: rest.slice(0, -1)};
}

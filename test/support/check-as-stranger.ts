// Verifies an evidence proof from the proof, the log's public key and the specifications alone, without code of this
// project: RFC 6962 section 2.1, C2SP signed-note and tlog-checkpoint.
import {createHash, createPublicKey, verify} from 'node:crypto';

export interface StrangeProof {
  readonly receipt_id: string;
  readonly records: readonly {readonly line: string; readonly index: number; readonly path: readonly string[]}[];
  readonly blobs: readonly {readonly role: string; readonly hash: string}[];
  readonly checkpoint: string;
}

function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The text of a note that this key signed; throws otherwise. */
function openNote(note: string, vkey: string): string {
  const [name = '', id = '', ...rest] = vkey.split('+');
  const key = Buffer.from(rest.join('+'), 'base64');
  if (key[0] !== 1 || key.length !== 33) throw new Error('not an Ed25519 key');
  if (!sha256(`${name}\n`, key).subarray(0, 4).equals(Buffer.from(id, 'hex'))) throw new Error('wrong key id');
  const cut = note.lastIndexOf('\n\n');
  if (cut < 0) throw new Error('no signature');
  const text = note.slice(0, cut + 1);
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)]);
  const publicKey = createPublicKey({key: spki, format: 'der', type: 'spki'});
  for (const line of note.slice(cut + 2).split('\n')) {
    if (!line.startsWith(`— ${name} `)) continue;
    const bytes = Buffer.from(line.slice(`— ${name} `.length), 'base64');
    // Canonical form: spare bits of the last character are zeros.
    if (!line.endsWith(bytes.toString('base64')) || bytes.subarray(0, 4).toString('hex') !== id) continue;
    if (verify(null, Buffer.from(text), publicKey, bytes.subarray(4))) return text;
  }
  throw new Error('not signed by this key');
}

/** The root that a path leads to, by recursion over the definition of PATH(m, D[n]). */
function climb(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer {
  if (index < 0 || index >= size) throw new Error('index out of range');
  if (size === 1) {
    if (path.length > 0) throw new Error('path too long');
    return leaf;
  }
  const sibling = path.at(-1);
  if (sibling?.length !== 32) throw new Error('path too short');
  let k = 1;
  while (k * 2 < size) k *= 2;
  const one = Buffer.from([1]);
  return index < k
    ? sha256(one, climb(leaf, index, k, path.slice(0, -1)), sibling)
    : sha256(one, sibling, climb(leaf, index - k, size - k, path.slice(0, -1)));
}

/** Throws, saying what is wrong. */
export function checkAsStranger(proof: StrangeProof, vkey: string): void {
  // Lines after the root are extensions; the last one ends like any other.
  const [origin, size, root, ...rest] = openNote(proof.checkpoint, vkey).split('\n');
  if (origin?.endsWith('/traces') !== true || rest.at(-1) !== '') throw new Error('not a checkpoint of calls');
  const said: string[] = [];
  let before = -1;
  for (const {line, index, path} of proof.records) {
    const leaf = sha256(Buffer.from([0]), sha256(line));
    if (!path.every((text) => /^[0-9a-f]{64}$/u.test(text))) throw new Error('not a path of hashes');
    const hashes = path.map((text) => Buffer.from(text, 'hex'));
    if (!climb(leaf, index, Number(size), hashes).equals(Buffer.from(root ?? '', 'base64'))) throw new Error('not in');
    const record = JSON.parse(line) as Record<string, unknown>;
    if (record['receipt_id'] !== proof.receipt_id) throw new Error('of another receipt');
    if (record['seq'] !== index + 1 || index <= before) throw new Error('out of order');
    if ((record['type'] === 'tool_call_started') !== (before === -1)) throw new Error('does not begin with its start');
    before = index;
    said.push(...contentsOf(record));
  }
  if (before === -1) throw new Error('no records');
  if (said.join() !== proof.blobs.map(({role, hash}) => `${role} ${hash}`).join()) throw new Error('other contents');
}

/** `role hash` of every content that a record names. */
function contentsOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return ['input', 'output', 'log'].flatMap((role) => {
    const hash = record[`${role}_hash`];
    return typeof hash === 'string' ? [`${role} ${hash}`] : [];
  });
}

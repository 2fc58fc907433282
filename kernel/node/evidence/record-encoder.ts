// Encodes records for the log. The intents of a tool's calls in one run differ only in a few short fields, and so do the outcomes of
// successful calls. The part that they share is encoded and validated once.
import {RecentMap, type NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {recordBody} from './record-body.ts';

/** Records whose common part is remembered. */
const rememberedMax = 512;

/** A record's own fields, at both ends of its text, and a key for records that may share the rest. */
interface Frame {
  readonly alike: string;
  /** The number of its own fields. */
  readonly own: number;
  readonly head: string;
  readonly tail: string;
}

interface EncodedRecord {
  readonly record: NewEvidenceRecord;
  readonly common: string;
  /** The names of what is common. */
  readonly fields: readonly string[];
}

export class RecordEncoder {
  readonly #encoded = new RecentMap<string, EncodedRecord>(rememberedMax);

  /** The same as `recordBody`. */
  encode(record: NewEvidenceRecord): string {
    const frame = frameOf(record);
    if (frame === undefined) return recordBody(record);
    const {alike, own, head, tail} = frame;
    const known = this.#encoded.get(alike);
    if (known !== undefined && areAlike(record, own, known)) return head + known.common + tail;
    const body = recordBody(record);
    const fields = Object.keys(record).filter((key) => !ownFields.has(key));
    this.#encoded.set(alike, {record, common: body.slice(head.length, body.length - tail.length), fields});
    return body;
  }
}

const ownFields: ReadonlySet<string> = new Set([
  'receipt_id',
  'timestamp',
  'input_hash',
  'input_ref',
  'duration_ms',
  'output_hash',
  'output_ref',
]);

/** Needs no escaping in JSON. */
const plain = /^[\w.:/-]*$/;
const sha256 = /^[0-9a-f]{64}$/;

/** Undefined for a record whose own fields need more than quotes, or are not as the schema wants them. */
function frameOf(record: NewEvidenceRecord): Frame | undefined {
  const {type, receipt_id, timestamp} = record;
  if (!plain.test(receipt_id) || !plain.test(timestamp)) return undefined;
  const head = `{"type":"${type}","receipt_id":"${receipt_id}","timestamp":"${timestamp}"`;
  if (type === 'tool_call_started') {
    const {input_hash, input_ref, run_id, tool_name} = record;
    const tail = contentOf('input', input_hash, input_ref);
    const own = input_hash === undefined ? 2 : 4;
    return tail === undefined ? undefined : {alike: `${run_id} ${tool_name}`, own, head, tail: `${tail}}`};
  }
  if (type === 'tool_call_finished') {
    const {result, duration_ms, output_hash, output_ref} = record;
    const tail = contentOf('output', output_hash, output_ref);
    if (tail === undefined || !(duration_ms >= 0 && Number.isFinite(duration_ms))) return undefined;
    const own = output_hash === undefined ? 3 : 5;
    return {alike: result, own, head: `${head},"result":"${result}"`, tail: `,"duration_ms":${duration_ms}${tail}}`};
  }
  return undefined;
}

function contentOf(name: 'input' | 'output', hash: string | undefined, ref: string | undefined): string | undefined {
  if (hash === undefined && ref === undefined) return '';
  if (hash === undefined || ref === undefined || !sha256.test(hash) || !plain.test(ref)) return undefined;
  return `,"${name}_hash":"${hash}","${name}_ref":"${ref}"`;
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether they differ in nothing but their own fields. */
function areAlike(given: NewEvidenceRecord, own: number, {record, fields}: EncodedRecord): boolean {
  const [givenFields, knownFields]: readonly [Fields, Fields] = [given, record];
  let others = -own;
  for (const _ in givenFields) others += 1;
  return (
    others === fields.length &&
    fields.every((field) => givenFields[field] !== undefined && isSame(givenFields[field], knownFields[field]))
  );
}

/** Lists are made for each record of the same parts. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((part, at) => part === other[at]);
}

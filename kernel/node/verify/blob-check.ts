// Checks that the contents a record refers to are there and are what the record says.
import {isPromise, RecentMap, type MaybePromise} from '@lumenflow/kernel/adapters';
import type {HeldCall, HoldCheck} from './hold-check.ts';
import type {VerifyFinding} from './verify-finding.ts';
import type {LineAt} from './verify-log.ts';

const rememberedMax = 8_192;

/** How a content was found. */
export type ContentReading =
  | {readonly kind: 'found' | 'shredded'; readonly hash: string}
  | {readonly kind: 'missing' | 'torn'}
  /** `reason` if it cannot be read. */
  | {readonly kind: 'changed'; readonly reason?: string};

export type ReadContent = (ref: string) => MaybePromise<ContentReading>;

/** What a record of a call refers to. */
export interface Reference {
  readonly ref: string;
  readonly hash: string | undefined;
  readonly at: LineAt;
  readonly call: HeldCall | undefined;
}

/** What the event log says of contents that may be gone. */
export interface ReportedContents {
  /** Deletions by a rule, redactions, and legal holds. */
  readonly deletions: Pick<HoldCheck, 'explain'>;
  /** Refs of contents that a loss of power took, and the event that says so. */
  readonly lost: ReadonlyMap<string, number>;
}

export interface BlobCheckOptions {
  readonly read: ReadContent;
  readonly reported: ReportedContents;
  /** Whether a record was signed before an event: then its contents were on disk, and the event does not explain their absence. */
  readonly isSignedBefore: (seq: number, event: number) => boolean;
}

export class BlobCheck {
  readonly #options: BlobCheckOptions;
  readonly #findings: VerifyFinding[];
  readonly #noted: Reference[] = [];
  /** Hashes of blobs that were just seen, by reference. */
  readonly #seen = new RecentMap<string, string>(rememberedMax);
  /** Blobs read. */
  count = 0;
  /** References to contents that were redacted. */
  redacted = 0;
  /** References to contents that a loss of power took. */
  lost = 0;
  /** References to contents that a rule of the workspace deleted. */
  expired = 0;

  constructor(options: BlobCheckOptions, findings: VerifyFinding[]) {
    this.#options = options;
    this.#findings = findings;
  }

  /** Notes what a record refers to. */
  note(reference: Reference): void {
    this.#noted.push(reference);
  }

  /** Checks what was noted. */
  async settle(): Promise<void> {
    for (const reference of this.#noted.splice(0)) {
      const {ref, hash} = reference;
      const known = this.#seen.get(ref);
      if (known !== undefined && known === hash) continue;
      const reading = this.#options.read(ref);
      this.#judge(reference, isPromise(reading) ? await reading : reading);
    }
  }

  #judge(reference: Reference, reading: ContentReading): void {
    const {ref, hash, at} = reference;
    if (reading.kind === 'found' && reading.hash === hash) return this.#remember(ref, reading.hash);
    const isShredded = reading.kind === 'shredded' && reading.hash === hash;
    const isGone = reading.kind === 'missing' || reading.kind === 'torn';
    if ((isShredded || isGone) && this.#isExplained(reference)) return;
    if (isGone) this.#reportGone(ref, reading.kind, at);
    else {
      const reason = reading.kind === 'changed' ? reading.reason : undefined;
      const what = reason === undefined ? 'is not what was recorded' : `cannot be read: ${reason}`;
      this.#report('tampered', at, `refers to \`${ref}\`, which ${what}`);
    }
  }

  /** Whether a deletion or a redaction says why it is gone; also if it says so wrongly. */
  #isExplained({ref, hash = '', at, call}: Reference): boolean {
    const explained = this.#options.reported.deletions.explain(hash, at.seq, call);
    if (explained.by === 'redaction') {
      this.redacted += 1;
      this.#report('blob_missing', at, `refers to \`${ref}\`, which was redacted`);
    } else if (explained.by === 'rule') {
      this.expired += 1;
    } else if (explained.hold !== undefined) {
      const {hold_id, actor, seq} = explained.hold;
      const hold = `the legal hold \`${hold_id}\` (${actor}, event ${seq})`;
      this.#report('tampered', at, `refers to \`${ref}\`, which was deleted while ${hold} was in force`);
    } else return false;
    return true;
  }

  #reportGone(ref: string, kind: 'missing' | 'torn', at: LineAt): void {
    const event = this.#options.reported.lost.get(ref);
    const state = kind === 'torn' ? 'torn: it was overwritten with zeros' : 'missing';
    if (event === undefined) {
      this.#report('blob_missing', at, `refers to \`${ref}\`, which is ${state}`);
    } else if (this.#options.isSignedBefore(at.seq, event)) {
      const excuse = `event ${event} calls it lost, but it was signed before that`;
      this.#report('blob_missing', at, `refers to \`${ref}\`, which is ${state}: ${excuse}`);
    } else {
      this.lost += 1;
      const text = `refers to \`${ref}\`, which a loss of power destroyed before it was on disk, see event ${event}`;
      this.#report('blob_missing', at, text);
    }
  }

  #report(status: VerifyFinding['status'], at: LineAt, text: string): void {
    this.#findings.push({status, text: `${at.where()} ${text}`});
  }

  #remember(ref: string, hash: string): void {
    this.count += 1;
    this.#seen.set(ref, hash);
  }
}

// The last act: the evidence verifies, and a copy with one flipped byte does not.
import {verifyEvidence} from '@lumenflow/host';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Stage} from './stage.ts';

export async function showTampering(stage: Stage): Promise<void> {
  stage.act('Anyone can verify the evidence and detect tampering');
  const {evidence} = stage.host.runtime;
  await evidence.checkpoint();
  const started = performance.now();
  const report = await evidence.verify();
  stage.report(
    {
      title: 'the original log',
      action: 'verify evidence',
      outcome: 'verified',
      ran: 'kernel',
      lines: [
        `${report.records} records, ${report.blobs} blobs, ${report.signed_records} of them under a signed checkpoint`,
        `tree root ${report.root.slice(0, 32)}…`,
      ],
      as_expected: report.status === 'verified',
    },
    started,
  );
  const copy = mkdtempSync(join(tmpdir(), 'lumenflow-tampered-'));
  try {
    const state = join(stage.host.workspaceRoot, '.lumenflow');
    for (const name of ['kernel', 'keys']) cpSync(join(state, name), join(copy, name), {recursive: true});
    const flipped = flipByte(join(copy, 'kernel', 'evidence', 'traces'));
    const startedAgain = performance.now();
    const tampered = await verifyEvidence(join(copy, 'kernel'), {keyFolder: join(copy, 'keys')});
    stage.report(
      {
        title: 'a copy, one byte flipped',
        action: 'verify evidence',
        outcome: 'tampered',
        ran: 'kernel',
        lines: [
          `byte ${flipped} of the copy was changed: ${tampered.findings.length} findings, the first:`,
          (tampered.findings[0] ?? '').replace(copy, '…'),
        ],
        as_expected: tampered.status === 'tampered',
      },
      startedAgain,
    );
  } finally {
    rmSync(copy, {recursive: true, force: true});
  }
}

/** Flips the lowest bit of the middle byte of the first segment. Returns its offset. */
function flipByte(folder: string): number {
  const segment = join(folder, readdirSync(folder).toSorted()[0] ?? '');
  const bytes = readFileSync(segment);
  const offset = Math.floor(bytes.length / 2);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(segment, bytes);
  return offset;
}

// Cuts a recorded run at each of its operations on the disk: the process dies there, in the middle of a write, or the machine loses
// its power. The remaining files are restored, opened and checked.
import type {Durability} from '@lumenflow/schemas';
import {mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import type {Acknowledgement} from './acknowledgement.ts';
import {checkWorkspace, type Checked} from './check-workspace.ts';
import {tries, type CrashPoint, type SuiteOptions} from './crash-point.ts';
import {DiskModel, type DiskImage, type Tear} from './disk-model.ts';
import type {Expected} from './expected.ts';
import type {FileOperation} from './file-operation.ts';
import {differences, makeMemoryFolder, materialize} from './memory-folder.ts';
import {createRandom, type Random} from './random.ts';
import {recordTrace, type TraceEntry} from './record-trace.ts';

const sectorBytes = 512;
const blobsLostTitle =
  'contents without acknowledgement that a loss of power destroyed, and that were reported as lost';

export async function* prefixPoints(options: SuiteOptions): AsyncGenerator<CrashPoint> {
  const random = createRandom(options.seed);
  for (const durability of ['auto', 'always'] as const) {
    for (const processes of [1, 3]) {
      const folder = makeMemoryFolder();
      try {
        yield* cutOneRecording({folder, durability, processes, random, options});
      } finally {
        rmSync(folder, {recursive: true});
      }
    }
  }
}

interface Cutting {
  readonly folder: string;
  readonly durability: Durability;
  readonly processes: number;
  readonly random: Random;
  readonly options: SuiteOptions;
}

async function* cutOneRecording(cutting: Cutting): AsyncGenerator<CrashPoint> {
  const {folder, durability, processes, random, options} = cutting;
  const root = mkdtempSync(join(folder, 'recorded-'));
  const callers = 12 / processes;
  // Enough for the logs' hashes to fill a tile.
  const things = 150;
  const trace = await recordTrace({root, durability, random, tap: options.tap, processes, callers, things});
  const recording = `${durability}, ${processes === 1 ? 'one process' : `${processes} processes`}`;
  const model = new DiskModel();
  model.apply({kind: 'mkdir', path: root});
  const seen = new Moment();
  const share = tries(1_000, options) / 1_000;
  for (const [index, entry] of trace.entries()) {
    if (entry.kind === 'done' && random.next() < share) {
      const site = {operation: entry.operation, model, random};
      for (const {how, image, power} of crashesAt(site)) {
        const {reported, effects} = power ? seen.afterPowerLoss(durability) : seen;
        const checked = await checkImage({folder, recorded: root, image}, {reported, effects, powerLost: power});
        const name = `${recording}, operation ${index} (${nameOf(entry.operation)}), ${how}`;
        const figures = [{title: blobsLostTitle, value: checked.blobsLost, over: 'sum'} as const];
        yield {name, problems: checked.problems, figures};
      }
    }
    advance(model, entry);
    seen.notice(entry);
  }
  const missed = differences(model.image(), root);
  const problems = missed.map((path) => `\`${path}\` is not what the trace says: the tap missed an operation`);
  yield {name: `${recording}, the whole trace of ${trace.length} entries`, problems};
}

function advance(model: DiskModel, entry: TraceEntry): void {
  if (entry.kind === 'sync begins') model.beginSync(entry.handle);
  if (entry.kind === 'done') model.apply(entry.operation);
}

interface Crash {
  readonly how: string;
  readonly power: boolean;
  readonly image: DiskImage;
}

interface CrashSite {
  readonly operation: FileOperation;
  /** Before the operation. */
  readonly model: DiskModel;
  readonly random: Random;
}

function* crashesAt({operation, model, random}: CrashSite): Generator<Crash> {
  yield {how: 'killed before it', power: false, image: model.image()};
  if (operation.kind === 'write' && operation.bytes.length > 1) {
    const length = cutOf(operation.offset, operation.bytes, random);
    const image = model.imageWith({...operation, bytes: operation.bytes.subarray(0, length)});
    yield {how: `killed within it, ${length} of ${operation.bytes.length} bytes written`, power: false, image};
  }
  if (!model.hasUnsynced()) return;
  yield {how: 'power lost, nothing unsynced survives', power: true, image: model.image(() => 0)};
  for (const kind of ['cut', 'zeros', 'nothing'] as const) {
    const tear = tearOf(kind, random);
    const image = model.image((unsynced) => random.below(unsynced + 1), tear);
    yield {how: `power lost, some survives, torn: ${kind}`, power: true, image};
  }
}

/** Where a write is torn: at the end of a sector, or anywhere. */
function cutOf(offset: number, bytes: Buffer, random: Random): number {
  const ends: number[] = [];
  for (let end = sectorBytes - (offset % sectorBytes); end < bytes.length; end += sectorBytes) ends.push(end);
  return ends.length > 0 && random.next() < 0.5 ? random.pick(ends) : 1 + random.below(bytes.length - 1);
}

function tearOf(kind: 'cut' | 'zeros' | 'nothing', random: Random): Tear {
  return (offset, bytes) =>
    kind === 'nothing' || bytes.length < 2 ? undefined : {first: cutOf(offset, bytes, random), grows: kind === 'zeros'};
}

/** The acknowledgements and effects until a moment. */
class Moment {
  readonly reported: Acknowledgement[] = [];
  readonly #effects: {readonly receipt_id: string; readonly tool: string}[] = [];

  get effects(): readonly string[] {
    return this.#effects.map(({receipt_id}) => receipt_id);
  }

  notice(entry: TraceEntry): void {
    if (entry.kind === 'reported') this.reported.push(entry.reported);
    if (entry.kind === 'effect') this.#effects.push(entry);
  }

  /** What durability promises of it: tasks always; with `auto`, of calls only the intents of those that may write. */
  afterPowerLoss(durability: Durability): {
    readonly reported: readonly Acknowledgement[];
    readonly effects: readonly string[];
  } {
    if (durability === 'always') return this;
    const effects = this.#effects.filter(({tool}) => tool !== 'effects:read');
    return {
      reported: this.reported.filter(({kind}) => kind !== 'call'),
      effects: effects.map(({receipt_id}) => receipt_id),
    };
  }
}

async function checkImage(
  {folder, recorded, image}: {readonly folder: string; readonly recorded: string; readonly image: DiskImage},
  expected: Expected,
): Promise<Checked> {
  const root = mkdtempSync(join(folder, 'cut-'));
  try {
    materialize(image, recorded, root);
    return await checkWorkspace(root, expected);
  } finally {
    rmSync(root, {recursive: true});
  }
}

function nameOf(operation: FileOperation): string {
  const path = 'path' in operation ? ` ${operation.path?.split('/').slice(-2).join('/')}` : '';
  return `${operation.kind}${path}`;
}

// Starts a host on a workspace whose last one was killed, and compares files, receipts and parked changes.
import type {Host} from '@lumenflow/host';
import type {ChangesView, Problem} from '@lumenflow/kernel';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {HostWorkspace} from '../support/host-workspace.ts';
import {areas, readGeneration, type Area} from './generations.ts';
import {areaOf, type KnownChanges} from './known-changes.ts';
import type {ChangeStep} from './reported-changes.ts';
import {opened} from '../support/opened.ts';

export async function checkChanges(workspace: HostWorkspace, known: KnownChanges): Promise<readonly string[]> {
  const {root} = workspace;
  const problems: string[] = [];
  const warnings: Problem[] = [];
  const host = await workspace.start({onWarning: (problem) => warnings.push(problem)});
  try {
    const session = opened(await host.openSession({by: 'check', lane: 'core'}));
    problems.push(...(await generationsAfter(root, known)));
    await checkParked(host, known, problems);
    await checkReceipts(host, known, problems);
    problems.push(...(await litter(host, root)));
    const left = warnings.filter(({code}) => code === 'INTERRUPTED_CALL_LEFT');
    problems.push(...left.map(({message}) => `recovery says: ${message}`));
    const {success, error} = await session.call('generations:write', {
      area: 'free',
      generation: known.generations.free,
    });
    if (!success) problems.push(`a call afterwards fails: ${error?.code} ${error?.message}`);
    await session.complete();
    const {status, findings} = await host.runtime.evidence.verify();
    const wrong = findings.filter((finding) => !finding.endsWith('are behind the newest signed checkpoint'));
    if (wrong.length > 0) problems.push(`verify says ${status}: ${wrong.slice(0, 3).join('; ')}`);
  } finally {
    await host.close();
  }
  return [...problems, ...known.problems.splice(0)];
}

async function generationsAfter(root: string, known: KnownChanges): Promise<readonly string[]> {
  const read = areas.map((area) => [area, readGeneration(root, area)] as const);
  known.settle(Object.fromEntries(read.map(([area, {generation}]) => [area, generation])) as Record<Area, number>);
  return read.flatMap(([, {problems}]) => problems);
}

async function checkParked({runtime}: Host, known: KnownChanges, problems: string[]): Promise<void> {
  for (const [receipt_id, reported] of known.states) {
    if (receipt_id === '') continue;
    const view = await runtime.changes.of(receipt_id);
    const found = String(view?.state);
    const {open} = known;
    if (open !== undefined && 'receipt_id' in open && open.receipt_id === receipt_id) {
      problems.push(...answeredProblems(known, open, found).map((text) => `${text} ${view?.kept?.reason ?? ''}`));
      known.states.set(receipt_id, found);
    } else if (found !== reported && !isLost(known, reported, view)) {
      problems.push(`${receipt_id} was reported as ${reported} and is ${found}`);
    }
  }
}

/** With the power the record of a call that was over goes; its files stay. */
function isLost({powerIsCut}: KnownChanges, reported: string, view: ChangesView | undefined): boolean {
  return powerIsCut && reported === 'applied' && view === undefined;
}

/** What was being answered is as the files are. */
function answeredProblems({generations}: KnownChanges, open: ChangeStep, found: string): readonly string[] {
  const isThere = generations.asked === open.generation;
  return [
    ...(isThere === (found === 'applied')
      ? []
      : [`${open.does}: ${found}, but asked has generation ${generations.asked}`]),
    ...(['parked', 'applied', 'discarded', 'conflict'].includes(found)
      ? []
      : [`${found} after a crash in ${open.does}`]),
  ];
}

/** A call whose files are there is not recorded as one that changed nothing, and the other way around. */
async function checkReceipts({runtime}: Host, known: KnownChanges, problems: string[]): Promise<void> {
  const {open} = known;
  known.open = undefined;
  const {receipts} = await runtime.evidence.readTraces({limit: 3});
  const newest = receipts.find(({started}) => started.tool_name === 'generations:write');
  if (open === undefined || open.does !== 'write' || newest?.finished === undefined) return;
  const {result, changes} = newest.finished;
  if (known.states.has(newest.receipt_id)) return;
  if (changes?.state === 'parked') known.states.set(newest.receipt_id, 'parked');
  const isThere = known.generations[areaOf(open)] === open.generation;
  const says = changes?.state === 'applied';
  if (result !== 'crashed' && says !== isThere) {
    problems.push(
      `${newest.receipt_id} is recorded as ${result}, ${String(changes?.state)}; its files are ${isThere ? '' : 'not '}there`,
    );
  }
}

/** Of transactions nothing is left but what is parked or in conflict. */
async function litter({runtime}: Host, root: string): Promise<readonly string[]> {
  const kept = (await runtime.changes.list()).filter(({state}) => ['parked', 'conflict', 'failed'].includes(state));
  const known = new Set(kept.map(({receipt_id}) => receipt_id));
  const folder = join(root, '.lumenflow/transactions');
  const [own, parked] = [namesIn(folder), namesIn(join(folder, 'parked'))];
  return [
    ...own.filter((name) => name !== 'parked' && !isSpare(folder, name)).map((name) => `\`${name}\` is left behind`),
    ...parked.filter((name) => !known.has(name)).map((name) => `\`parked/${name}\` is left behind`),
    ...[...known].filter((name) => !parked.includes(name)).map((name) => `what \`${name}\` keeps is gone`),
  ];
}

/** The view of a spare that this very host has started. */
function isSpare(folder: string, name: string): boolean {
  return name.includes(`.${process.pid}.`) && !namesIn(join(folder, name)).includes('journal');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none.
    return [];
  }
}

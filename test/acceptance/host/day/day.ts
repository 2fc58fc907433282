// A day on which people, agents and two hosts share a repository, with the invariants after each step. Only the step's own changes have
// happened, a call's changes are applied as a whole or not at all, and exactly the reported changes wait.
import type {Host, Session} from '@lumenflow/host';
import type {ToolOutput} from '@lumenflow/schemas';
import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {startHostProcess} from '../../../support/host-process.ts';
import type {HostWorkspace} from '../../../support/host-workspace.ts';
import {scriptOf, type DayStep, type StepOf} from './day-step.ts';
import {
  areRelated,
  asksPerson,
  changed,
  dayDirectories,
  delta,
  isAs,
  sideOf,
  treeOf,
  withDelta,
  type DayTree,
  type Delta,
} from './day-tree.ts';
import {expectSame, expectTree} from './expect-of-day.ts';
import {opened} from '../../../support/opened.ts';

interface OwnChanges {
  readonly receipt_id: string;
  readonly before: Delta;
  readonly after: Delta;
  /** The tree that the call saw. */
  readonly base: DayTree;
  /** What the diff of a conflict may show as replaced instead. */
  readonly shown?: Delta;
}

interface Waiting extends OwnChanges {
  readonly request_id: string;
  state: 'parked' | 'conflict';
}

interface Desk {
  readonly host: Host;
  readonly session: Session;
}

export class Day {
  readonly #workspace: HostWorkspace;
  readonly #desks: Desk[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #applied: OwnChanges[] = [];

  constructor(workspace: HostWorkspace) {
    this.#workspace = workspace;
  }

  async begin(): Promise<void> {
    for (const at of [0, 1]) await this.#open(at);
  }

  async live(step: DayStep): Promise<void> {
    switch (step.does) {
      case 'people':
        return this.#run(this.#workspace.root, scriptOf(step.acts));
      case 'call':
        return await this.#call(step);
      case 'dry run':
        return await this.#dryRun(step);
      case 'both call':
        return await this.#bothCall(step);
      case 'answer':
        return await this.#answer(step);
      case 'settle':
        return await this.#settle(step);
      case 'revert':
        return await this.#revert(step);
      case 'restart':
        await this.#desk(step.host).host.close();
        return await this.#open(step.host);
      case 'kill':
        return await this.#kill(step);
    }
  }

  /** Waiting changes are reported, and nothing else is left. */
  async end(): Promise<void> {
    const [{host}, other] = [this.#desk(0), this.#desk(1)];
    const listed = (await host.runtime.changes.list()).filter(({state}) => state === 'parked' || state === 'conflict');
    const reported = listed.map(({receipt_id, state}) => `${receipt_id} ${state}`).toSorted();
    expectSame(reported, this.#waiting.map(({receipt_id, state}) => `${receipt_id} ${state}`).toSorted(), 'what waits');
    const folder = join(this.#workspace.root, '.lumenflow/transactions');
    const kept = existsSync(join(folder, 'parked')) ? readdirSync(join(folder, 'parked')) : [];
    expectSame(kept.toSorted(), this.#waiting.map(({receipt_id}) => receipt_id).toSorted(), 'what is kept');
    for (const {receipt_id} of this.#waiting) {
      const {success} = await host.runtime.changes.discard({receipt_id, by: 'olga'});
      if (!success) throw new Error(`${receipt_id} cannot be discarded`);
    }
    const {status, findings} = await host.runtime.evidence.verify();
    if (status === 'tampered') throw new Error(findings.join('; '));
    await Promise.all([host.close(), other.host.close()]);
    expectSame(existsSync(folder) ? readdirSync(folder) : [], [], 'what hosts leave behind');
  }

  #desk(at: number): Desk {
    const desk = this.#desks[at];
    if (desk === undefined) throw new Error(`there is no host ${at}`);
    return desk;
  }

  async #open(at: number): Promise<void> {
    const host = await this.#workspace.start({onWarning: () => undefined});
    this.#desks[at] = {host, session: opened(await host.openSession({by: 'agent', lane: 'core'}))};
  }

  #tree(): DayTree {
    return treeOf(this.#workspace.root);
  }

  #run(root: string, script: string): void {
    execFileSync('sh', ['-euc', script], {cwd: root});
  }

  /** What scripts do to the files as they are, one after the other. */
  #expected(...scripts: readonly string[]): DayTree {
    const copy = realpathSync(mkdtempSync(join(tmpdir(), 'day-')));
    try {
      for (const directory of dayDirectories) {
        const from = join(this.#workspace.root, directory);
        if (this.#tree().has(directory)) cpSync(from, join(copy, directory), {recursive: true, verbatimSymlinks: true});
      }
      for (const script of scripts) this.#run(copy, script);
      return treeOf(copy);
    } finally {
      rmSync(copy, {recursive: true});
    }
  }

  /** Remembers what a call has done, by what it answered. */
  #note(output: ToolOutput, own: Omit<OwnChanges, 'receipt_id'>): 'applied' | 'parked' | 'conflict' {
    const receipt_id = String(output.metadata?.receipt_id);
    const {code, details} = output.error ?? {};
    if (output.success) {
      if (own.after.size > 0) this.#applied.push({receipt_id, ...own});
      return 'applied';
    }
    if (code !== 'CHANGES_PARKED' && code !== 'WRITE_CONFLICT') throw new Error(JSON.stringify(output.error));
    const state = code === 'CHANGES_PARKED' ? 'parked' : 'conflict';
    this.#waiting.push({receipt_id, request_id: String(details?.['request_id']), state, ...own});
    return state;
  }

  async #call({host, acts}: StepOf<'call'>): Promise<void> {
    const base = this.#tree();
    const script = scriptOf(acts);
    const asked = this.#expected(script);
    const output = await this.#desk(host).session.call('held:shell', {script});
    const state = this.#note(output, {base, before: delta(asked, base), after: delta(base, asked)});
    expectSame(state, asksPerson(changed(base, asked)) ? 'parked' : 'applied', 'what the call answers');
    expectTree(this.#tree(), state === 'applied' ? asked : base);
  }

  async #dryRun({host, acts}: StepOf<'dry run'>): Promise<void> {
    const base = this.#tree();
    const script = scriptOf(acts);
    const asked = this.#expected(script);
    const output = await this.#desk(host).session.call('held:shell', {script}, {dry_run: true});
    const {list = []} = (output.metadata?.['changes'] ?? {}) as {list?: {path: string; from?: string; op: string}[]};
    const shown = list.flatMap(({path, from, op}) => (op === 'rename' && from !== undefined ? [path, from] : [path]));
    expectSame([...new Set(shown)].toSorted(), [...changed(base, asked)].toSorted(), 'what a dry run shows');
    expectTree(this.#tree(), base);
  }

  /** Each on its own, one after the other, or one of them and a conflict. */
  async #bothCall({acts, others}: StepOf<'both call'>): Promise<void> {
    const base = this.#tree();
    const scripts = [scriptOf(acts), scriptOf(others)] as const;
    const asked = scripts.map((script) => delta(base, this.#expected(script)));
    const inOrder = [this.#expected(...scripts), this.#expected(...scripts.toReversed())];
    const outputs = await Promise.all(
      scripts.map(async (script, at) => await this.#desk(at).session.call('held:shell', {script})),
    );
    const now = this.#tree();
    const applied: Delta[] = [];
    for (const [at, output] of outputs.entries()) {
      const own = asked[at] ?? new Map<string, string>();
      if (output.success) applied.push(own);
      else this.#note(output, {base, before: sideOf(base, own), after: own, shown: sideOf(now, own)});
    }
    const allowed = [applied.reduce(withDelta, base), ...(applied.length === 2 ? inOrder : [])];
    if (!allowed.some((tree) => changed(tree, now).length === 0)) expectTree(now, allowed[0] ?? base);
  }

  async #answer({host, which, answer}: StepOf<'answer'>): Promise<void> {
    const one = this.#pick('parked', which);
    if (one === undefined) return;
    const {request_id, receipt_id} = one;
    const base = this.#tree();
    const say = async (at: number, approved: boolean): Promise<boolean> => {
      const {success} = await this.#desk(at).host.runtime.resolveApproval({request_id, approved, approved_by: 'olga'});
      return success;
    };
    if (answer === 'both') {
      const agreed = await Promise.all([say(host, true), say(1 - host, false)]);
      expectSame(agreed.filter(Boolean).length, 1, 'how many answers count');
    } else expectSame(await say(host, answer === 'approve'), true, 'whether the answer counts');
    const state = (await this.#desk(1 - host).host.runtime.changes.of(receipt_id))?.state;
    this.#settled(one, base, String(state));
    if (answer === 'reject') expectSame(state, 'discarded', 'what was rejected');
  }

  async #settle({host, which, intent}: StepOf<'settle'>): Promise<void> {
    const one = this.#pick('conflict', which);
    if (one === undefined) return;
    const {receipt_id} = one;
    const base = this.#tree();
    const {runtime} = this.#desk(host).host;
    const result = await runtime.changes[intent]({receipt_id, by: 'olga'});
    this.#settled(one, base, result.success ? result.data.state : result.error.code);
  }

  #pick(state: Waiting['state'], which: number): Waiting | undefined {
    const all = this.#waiting.filter((one) => one.state === state);
    return all[which % all.length];
  }

  #settled(one: Waiting, base: DayTree, state: string): void {
    this.#checkApplied(one, base, state);
    if (state === 'conflict') one.state = 'conflict';
    else if (state === 'applied' || state === 'discarded') {
      this.#waiting.splice(this.#waiting.indexOf(one), 1);
      if (state === 'applied') this.#applied.push(one);
    } else throw new Error(`the changes of ${one.receipt_id} are ${state}`);
  }

  /** Applied only on the state that the changes were made on; refused only where something has changed since. */
  #checkApplied({before, after, base: seen, shown = before}: OwnChanges, base: DayTree, state: string): void {
    const now = this.#tree();
    if (state === 'applied') {
      if (![before, shown, after].some((side) => isAs(base, side)))
        throw new Error('changes were applied to what others had changed');
      expectTree(now, withDelta(base, after));
    } else expectTree(now, base);
    if (state !== 'conflict') return;
    const since = changed(seen, base);
    const isTouched = since.some((path) => [...after.keys()].some((other) => areRelated(path, other)));
    if (!isTouched) throw new Error(`a conflict, though no one touched ${[...after.keys()].join(', ')}`);
  }

  async #revert({host, which}: StepOf<'revert'>): Promise<void> {
    const one = this.#applied[which % this.#applied.length];
    if (one === undefined) return;
    const base = this.#tree();
    const {session} = this.#desk(host);
    const output = await session.call('kernel:revert-changes', {receipt_id: one.receipt_id});
    const seen = withDelta(one.base, one.after);
    const inverse = {base: seen, before: one.after, after: one.before};
    if (output.error?.code === 'WRITE_CONFLICT') return this.#checkApplied({...one, ...inverse}, base, 'conflict');
    const state = this.#note(output, {...inverse, base});
    expectSame(state, asksPerson([...one.after.keys()]) ? 'parked' : 'applied', 'what the revert answers');
    this.#checkApplied({...one, ...inverse}, base, state);
  }

  /** The host of the call is killed; another one repairs the workspace. */
  async #kill({acts, afterMs}: StepOf<'kill'>): Promise<void> {
    const base = this.#tree();
    const script = scriptOf(acts);
    const asked = this.#expected(script);
    const process = await startHostProcess(this.#workspace.root);
    await process.ask('open', {by: 'agent', lane: 'core'});
    const call = process.call('held:shell', {script}).catch(() => undefined);
    await Promise.race([call, sleep(afterMs)]);
    await process.kill();
    await call;
    const {host, session} = this.#desk(0);
    await session.call('held:shell', {script: ':'});
    const own = {base, before: delta(asked, base), after: delta(base, asked)};
    const known = new Set(this.#waiting.map(({receipt_id}) => receipt_id));
    const listed = (await host.runtime.changes.list()).filter(({state}) => state === 'parked' || state === 'conflict');
    for (const {receipt_id, request_id = '', state} of listed) {
      if (!known.has(receipt_id)) this.#waiting.push({receipt_id, request_id, state: state as 'parked', ...own});
    }
    const now = this.#tree();
    if (asksPerson(changed(base, asked)) || changed(now, asked).length > 0) expectTree(now, base);
  }
}

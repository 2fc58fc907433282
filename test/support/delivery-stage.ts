// A repository under governance of packs/software-delivery: two lanes, work units, people who approve, and time that passes
// when a test says so.
import type {Host, Session} from '@lumenflow/host';
import {createSystemClock} from '@lumenflow/kernel/node';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {everything, makeHostWorkspace, must, type HostWorkspace} from './host-workspace.ts';

const hourMs = 3_600_000;

/** This project's own. */
export const repository: string = join(import.meta.dirname, '..', '..');

export interface DeliveryStage {
  readonly workspace: HostWorkspace;
  readonly host: Host;
  git(...args: string[]): string;
  /** A work unit in the lane `core`; gives its id. */
  createWu(session: Session, words?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Calls a tool that waits for a person, who agrees; gives its data. */
  mustApproved(session: Session, tool: string, input: unknown): Promise<Record<string, unknown>>;
  /** All that has happened is so much longer ago. */
  letHoursPass(hours: number): void;
  /** Dates what the kernel records from here on so long ago: 100 hours at first, so that no call keeps a lease alive. */
  dateCalls(hoursAgo: number): void;
  /** A text of the pack's own state; absolute. */
  statePath(name: string): string;
}

export interface DeliveryStageOptions {
  /** This repository with its history, instead of one with a file in it. */
  readonly clone?: boolean;
  /** Instead of allowing all. */
  readonly policies?: WorkspaceSpec['policies'];
  /** `host:port` that lanes and workspace allow. */
  readonly network?: readonly string[];
  /** Added to the host's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** `workspace.remove()` closes it. */
export async function makeDeliveryStage(
  config: object = {},
  {clone = false, policies, network, env}: DeliveryStageOptions = {},
): Promise<DeliveryStage> {
  const scopes: WorkspaceSpec['security']['allowed_scopes'] =
    network === undefined
      ? everything
      : [...everything, {type: 'network', posture: 'allowlist', allowlist_entries: [...network]}];
  const workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    pins: {'software-delivery': {trust: 'in_process'}},
    files: clone ? {} : {'.gitignore': '.lumenflow/\n', 'src/a.mjs': 'export const a = 1;\n'},
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: scopes, wip_limit: 1},
        {id: 'docs', allowed_scopes: scopes},
      ],
      ...(network && {security: {allowed_scopes: scopes, network_default: 'allowlist'}}),
      ...(policies && {policies}),
      software_delivery: {git: {author: {name: 'Ada', email: 'ada@example.org'}}, ...config},
    } as never,
  });
  const git = (...args: string[]): string => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    return execFileSync('git', [...who, ...args], {cwd: workspace.root, encoding: 'utf8'}).trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  if (clone) {
    git('fetch', '--quiet', repository, 'HEAD');
    git('reset', '--quiet', '--hard', 'FETCH_HEAD');
  } else {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
  }
  let behindMs = 100 * hourMs;
  const machine = createSystemClock();
  const clock = {
    ...machine,
    now: () => machine.now() - behindMs,
    timestamp: (offsetMs = 0) => machine.timestamp(offsetMs - behindMs),
  };
  const host = await workspace.start({clock, ...(env && {env: {PATH: process.env['PATH'], ...env}})});
  const statePath = (name: string): string => join(workspace.root, '.lumenflow/packs/software-delivery', name);
  let created = 0;
  return {
    workspace,
    host,
    git,
    statePath,
    async createWu(session, words = {}) {
      created += 1;
      return String((await must(session, 'wu:create', {...wuWords(created), ...words}))['id']);
    },
    async mustApproved(session, tool, input) {
      const {error} = await session.call(tool, input);
      if (error?.code !== 'APPROVAL_REQUIRED') throw new Error(`\`${tool}\` does not wait: ${JSON.stringify(error)}`);
      const request_id = String(error.details?.['request_id']);
      await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'bob'});
      return await must(session, tool, input);
    },
    letHoursPass(hours) {
      const text = readFileSync(statePath('events'), 'utf8');
      const earlier = (time: string): string => new Date(Date.parse(time) - hours * hourMs).toISOString();
      writeFileSync(statePath('events'), text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, earlier));
      if (existsSync(statePath('snapshots'))) rmSync(statePath('snapshots'), {recursive: true});
    },
    dateCalls(hoursAgo) {
      behindMs = hoursAgo * hourMs;
    },
  };
}

/** A complete input of wu:create, each with its own code paths. */
export function wuWords(number: number): Readonly<Record<string, unknown>> {
  return {
    title: `Work unit number ${number}`,
    lane: 'core',
    type: 'feature',
    priority: 'P2',
    description: 'It is there so that something can be planned, handed out, claimed and measured.',
    acceptance: ['it is done'],
    code_paths: [`src/part-${number}/**`],
  };
}

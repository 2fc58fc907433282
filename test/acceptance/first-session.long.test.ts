// `npm start` as its user sees it: every step of the session has the expected result, on a terminal and as data.
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';

interface SessionDocument {
  readonly ok: boolean;
  readonly steps: readonly {
    readonly action: string;
    readonly outcome: string;
    readonly ran: string;
    readonly as_expected: boolean;
    readonly receipt_id?: string;
    readonly lines: readonly string[];
  }[];
}

const repository = join(import.meta.dirname, '..', '..');
let folder: string;

async function play(...flags: readonly string[]): Promise<string> {
  const session = join(repository, 'examples/first-session/session.ts');
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', session, ...flags], {cwd: repository});
  try {
    return (await run).stdout;
  } catch (error) {
    // Its output shows the step that failed.
    throw new Error(`${String(error)}\n${(error as {readonly stdout?: string}).stdout ?? ''}`, {cause: error});
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first session '));
});
afterAll(async () => await rm(folder, {recursive: true, force: true}));

describe('the first session', () => {
  it('runs as documented, with JSON output, in a folder with a space in its name', async () => {
    const document = JSON.parse(await play('--json', '--folder', join(folder, 'as data'))) as SessionDocument;
    expect(document.steps.filter((step) => !step.as_expected)).toEqual([]);
    expect(document.ok).toBe(true);
    expect(document.steps.map(({action, outcome, ran}) => `${action} ${outcome} ${ran}`)).toEqual([
      'file:read allowed pool',
      'file:read denied pool',
      'file:write denied sandbox',
      'probe:connect denied not run',
      'agent session passed sandbox',
      'list tools allowed kernel',
      'file:read allowed pool',
      'file:edit allowed sandbox',
      'file:write denied sandbox',
      'file:write denied sandbox',
      'file:edit allowed sandbox',
      'file:edit paused sandbox',
      'resolve approval denied kernel',
      'probe:read-file allowed sandbox',
      'probe:read-file refused sandbox',
      'probe:connect refused sandbox',
      'file:edit allowed sandbox',
      'check program allowed kernel',
      'run program paused 2 calls',
      'resolve approval allowed kernel',
      'resume program passed 2 calls',
      'complete task denied kernel',
      'gates failed sandbox',
      'file:edit allowed sandbox',
      'gates passed sandbox',
      'git:add allowed sandbox',
      'git:commit paused not run',
      'resolve approval allowed kernel',
      'file:write allowed sandbox',
      'git:add allowed sandbox',
      'git:commit paused not run',
      'kernel:revert-changes allowed kernel',
      'git:add allowed sandbox',
      'git:commit paused not run',
      'resolve approval allowed kernel',
      'git:commit passed sandbox',
      'git:commit paused not run',
      'complete task passed kernel',
      'verify evidence verified kernel',
      'verify evidence tampered kernel',
    ]);
    const [offered, withheld, ...more] = document.steps[5]?.lines ?? [];
    expect(more).toEqual([]);
    const [, tools, asking] =
      /^(\d+) tools, (\d+) of them with approval, git:commit among them$/u.exec(offered ?? '') ?? [];
    // Not all that the packs declare, which is more than a hundred.
    expect(Number(tools)).toBeLessThan(50);
    expect(Number(asking)).toBeLessThan(Number(tools));
    const [, rule = '', line = ''] =
      /rule (\S+) of the workspace layer, workspace\.yaml:(\d+):\d+$/u.exec(withheld ?? '') ?? [];
    expect(withheld).toMatch(/^file:delete is not offered: /u);
    const workspace = readFileSync(join(folder, 'as data', 'workspace.yaml'), 'utf8').split('\n');
    expect(workspace[Number(line) - 1]).toContain(`id: ${rule}`);
    expect(document.steps[8]?.lines.join('\n')).toMatch(/lane layer, workspace\.yaml:\d+:\d+/);
  });

  it('prints what README shows, and fits a terminal of 80 columns', async () => {
    const reported = await play('--folder', join(folder, 'reported'));
    // An excerpt: the same lines in the same order, at other speeds.
    const withoutTimes = (text: string): string[] =>
      text
        .replaceAll(/\d+\.\d ms/gu, 'ms')
        .replaceAll(/ +/gu, ' ')
        .split('\n');
    const printed = withoutTimes(reported);
    const [, excerpt = ''] = /```text\n([\s\S]*?)```/u.exec(readFileSync(join(repository, 'README.md'), 'utf8')) ?? [];
    let from = 0;
    const missing = withoutTimes(excerpt).filter((line) => {
      const at = printed.indexOf(line, from);
      if (at !== -1) from = at + 1;
      return at === -1;
    });
    expect(missing).toEqual([]);
    // Each act has one line in the summary.
    expect(reported.split('An approval covers one diff and one commit')).toHaveLength(3);
    const tooWide = reported
      .split('\n')
      .filter((line) => line.length > 80 && !line.includes(folder) && !line.includes('alias'));
    expect(tooWide).toEqual([]);
  });
});

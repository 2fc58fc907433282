// `npm start`: a governed session on a clone of this repository, from listing tools to verifying evidence. Flags: --json prints
// the same as data; --folder DIR sets the workspace's folder, which must not exist.
import {startHost} from '@lumenflow/host';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {parseArgs} from 'node:util';
import {makeWorkspace} from './make-workspace.ts';
import {createJsonNarrator, createTerminalNarrator} from './narrator.ts';
import {createStage} from './stage.ts';
import {playStory} from './story.ts';

const {values} = parseArgs({options: {json: {type: 'boolean', default: false}, folder: {type: 'string'}}});
const narrator = values.json ? createJsonNarrator(process.stdout) : createTerminalNarrator(process.stdout);
const folder = values.folder ?? join(mkdtempSync(join(tmpdir(), 'lumenflow-first-session-')), 'workspace');

const interrupted = new AbortController();
process.once('SIGINT', () => {
  interrupted.abort();
  process.once('SIGINT', () => process.exit(130));
});

const started = performance.now();
const workspace = await makeWorkspace(folder);
const host = await startHost({workspaceRoot: workspace.root, env: process.env});
try {
  const probe = await host.sandbox.probe();
  const sandbox = probe.available ? `${probe.backend} ${probe.version}, tier ${probe.tier}` : probe.problem.message;
  narrator.opening([
    `workspace  ${workspace.root}`,
    `           a clone of this repository, ${workspace.files} files`,
    ...workspace.packs.map(({id, version, integrity}) => `pack       ${id} ${version}, ${integrity.slice(0, 23)}…`),
    `sandbox    ${sandbox}`,
  ]);
  const stage = createStage({host, narrator, signal: interrupted.signal});
  await playStory(stage);
  const seconds = (performance.now() - started) / 1_000;
  const ok = stage.steps.every((step) => step.as_expected);
  narrator.closing(
    [
      `${stage.steps.length} steps in ${seconds.toFixed(1)} s; every call and every denial has a receipt.`,
      '',
      'Try next:',
      `  cd ${workspace.root}`,
      `  alias lumenflow=${join(import.meta.dirname, '../../host/lumenflow.mjs')}`,
      '  lumenflow evidence list              what happened, newest first',
      '  lumenflow program list               runs; `program graph RUN` draws one',
      '  lumenflow policy explain git:commit  which rule decides, and where it is',
      '  lumenflow tools call file:read path=README.md',
      '  lumenflow sandbox doctor             what this machine can enforce',
    ],
    {ok, workspace, sandbox, seconds},
  );
  if (!ok) process.exitCode = 1;
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  process.stderr.write('interrupted: the calls in flight were cancelled and recorded\n');
  process.exitCode = 130;
} finally {
  await host.close();
  if (interrupted.signal.aborted && values.folder === undefined)
    rmSync(dirname(folder), {recursive: true, force: true});
}

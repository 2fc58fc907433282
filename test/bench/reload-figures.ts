// How long an author waits after saving a file: until a watching host has reloaded a pack of ten tools.
import {startHost, type Host} from '@lumenflow/host';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {oneByOne} from './samplers.ts';

const tools = Array.from({length: 10}, (_, index) => `tool-${index}`);

export async function* reloadFigures(effort: Effort): AsyncGenerator<Figure> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-')));
  let changed: () => void = () => undefined;
  let host: Host | undefined;
  let edits = 0;
  try {
    writePack(root);
    host = await startHost({
      workspaceRoot: root,
      env: process.env,
      watch: true,
      onReload: ({status, problems}) => {
        if (status !== 'changed') throw new Error(`a reload was ${status}: ${JSON.stringify(problems)}`);
        changed();
      },
    });
    const sample: Sampler = oneByOne(operations(effort, 5), async () => {
      const reloaded = new Promise<void>((resolve) => {
        changed = resolve;
      });
      edits += 1;
      writeTool(root, 'tool-3', `edit ${edits}`);
      await reloaded;
    });
    yield await compare({
      id: 'start.reload',
      title: 'a saved file of a ten-tool pack until its tools are the new ones',
      unit: 'ms',
      runs: effort.runs,
      sample,
      goal: {of: 'value', limit: 300},
    });
  } finally {
    await host?.close();
    rmSync(root, {recursive: true, force: true});
  }
}

function writeTool(root: string, name: string, answer: string): void {
  writeFileSync(join(root, 'pack/tools', `${name}.ts`), `export const run = () => ({answer: '${answer}'});\n`);
}

/** JSON is YAML. */
function writePack(root: string): void {
  mkdirSync(join(root, 'pack/tools'), {recursive: true});
  for (const name of tools) writeTool(root, name, 'first');
  const schema = {type: 'object', properties: {answer: {type: 'string'}}};
  const manifest = {
    id: 'ten',
    version: '0.1.0',
    manifest_version: 1,
    task_types: ['ten'],
    tools: tools.map((name) => ({
      name: `ten:${name}`,
      description: name,
      handler_entry: `tools/${name}.ts#run`,
      permission: 'read',
      input_schema: schema,
      output_schema: schema,
    })),
  };
  writeFileSync(join(root, 'pack/manifest.yaml'), JSON.stringify(manifest));
  const spec = {
    id: 'bench',
    packs: [{id: 'ten', version: '0.1.0', integrity: 'dev', source: 'local', path: 'pack'}],
    lanes: [{id: 'core', allowed_scopes: []}],
    security: {allowed_scopes: []},
    policies: {default_decision: 'allow'},
  };
  writeFileSync(join(root, 'workspace.yaml'), JSON.stringify(spec));
}

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {createIntegratedBackend, type Integration} from './create-integrated-backend.ts';

const root = mkdtempSync(join(tmpdir(), 'integrated-backend-'));
afterAll(() => rmSync(root, {recursive: true}));

const integration: Integration = {
  name: 'made',
  packageName: '@made/backend',
  capabilities: {spares: false, views: false, network: undefined, selfTest: false, killsAtOnce: true, lacks: []},
  parts: {
    runner: {nodePath: '/node', runnerPath: '', runtimePaths: [], argv: () => []},
    agentPath: '/agent',
  },
  options: {answer: 42},
  packageRoot: root,
};

function install(): void {
  const folder = join(root, 'node_modules/@made/backend');
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'package.json'), '{"type": "module", "exports": "./index.js"}');
  const probe = `async probe() { return {available: false, backend: 'made', problem: {message: parts.agentPath + options.answer, help: ''}}; }`;
  writeFileSync(join(folder, 'index.js'), `export const createBackend = (parts, options) => ({${probe}});`);
}

test('a package that is not installed is named, with the command that installs it', async () => {
  expect(await createIntegratedBackend(integration).probe()).toMatchObject({
    available: false,
    problem: {
      message: 'the backend `made` needs the package `@made/backend`, which is not installed',
      help: 'run `npm install @made/backend` in the workspace',
    },
  });
});

test('a backend that the workspace does not configure is not loaded', async () => {
  const backend = createIntegratedBackend({...integration, options: undefined});
  expect(await backend.probe()).toMatchObject({
    problem: {help: 'set `security.sandbox.backends.made` in workspace.yaml'},
  });
  await backend.reap();
  await backend.close();
});

test('the package of the workspace makes the mechanism, from the parts and the options', async () => {
  install();
  expect(await createIntegratedBackend(integration).probe()).toMatchObject({problem: {message: '/agent42'}});
});

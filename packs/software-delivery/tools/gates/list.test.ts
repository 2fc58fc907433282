import {describe, expect, it} from 'vitest';
import {createTestWorkspace} from '../../test-workspace.fixture.ts';
import {gatesList} from './list.ts';

describe('gates:list', () => {
  it('shows the commands of presets, with the changes from the config', async () => {
    const workspace = await createTestWorkspace();
    const commands = {lint: false as const, test: {command: 'make check', timeout_ms: 5}, e2e: 'make e2e'};
    const output = await gatesList.run({}, workspace.context({gates: {preset: 'go' as const, commands}}));
    expect(output).toMatchObject({
      gates: [
        {
          name: 'format',
          command: expect.stringContaining('gofmt -l .'),
          source: 'preset go',
          timeout_ms: 600_000,
          optional: false,
        },
        {name: 'typecheck', command: 'go build ./...', source: 'preset go'},
        {name: 'test', command: 'make check', source: 'config', timeout_ms: 5},
        {name: 'e2e', command: 'make e2e', source: 'config'},
      ],
      detected: [],
    });
  });

  it('suggests presets that fit the files, as YAML for workspace.yaml', async () => {
    const workspace = await createTestWorkspace();
    await workspace.put('package.json', '{"scripts": {"test": "node --test", "lint": "x"}}');
    await workspace.put('Cargo.toml', '');
    await workspace.put('Makefile', 'test: all\n\ttrue\nlint := x\n');
    const output = await gatesList.run({}, workspace.context(undefined));
    expect(output).toMatchObject({
      gates: [],
      detected: [
        {
          preset: 'node',
          because: 'package.json',
          commands: {lint: 'npm run lint', test: 'npm test'},
          yaml: 'software_delivery:\n  gates:\n    preset: node\n    commands:\n      format: false\n      typecheck: false\n',
        },
        {preset: 'rust', because: 'Cargo.toml', yaml: 'software_delivery:\n  gates:\n    preset: rust\n'},
        {preset: 'make', commands: {test: 'make test'}},
      ],
    });
    await workspace.put('package.json', '{');
    expect(await gatesList.run({}, workspace.context(undefined))).toMatchObject({detected: [{commands: {}}, {}, {}]});
  });

  it('uses the package manager of the project, and the programs that a Python project names', async () => {
    const workspace = await createTestWorkspace();
    await workspace.put('package.json', '{"scripts": {"test": "vitest", "lint": "x"}}');
    await workspace.put('pnpm-lock.yaml', '');
    await workspace.put('pyproject.toml', '[project]\nname = "a"\n[tool.ruff]\n');
    await workspace.put('tests/test_a.py', '');
    const listed = async () => await gatesList.run({}, workspace.context(undefined));
    expect(await listed()).toMatchObject({
      detected: [
        {
          commands: {lint: 'pnpm run lint', test: 'pnpm test'},
          yaml: 'software_delivery:\n  gates:\n    preset: node\n    commands:\n      format: false\n      lint: pnpm run lint\n      typecheck: false\n      test: pnpm test\n',
        },
        {
          commands: {format: 'ruff format --check .', lint: 'ruff check .', test: 'python3 -m pytest --quiet'},
          yaml: 'software_delivery:\n  gates:\n    preset: python\n    commands:\n      typecheck: false\n',
        },
      ],
    });
    await workspace.put('package.json', '{"scripts": {"test": "x"}, "packageManager": "yarn@4.1.0"}');
    expect(await listed()).toMatchObject({detected: [{commands: {test: 'yarn test'}}, {}]});
    await workspace.put('package.json', '{"scripts": {"test": "x"}, "packageManager": "bun@1.2.0"}');
    expect(await listed()).toMatchObject({detected: [{commands: {test: 'bun run test'}}, {}]});
  });
});

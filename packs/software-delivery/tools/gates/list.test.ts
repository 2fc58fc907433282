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
});

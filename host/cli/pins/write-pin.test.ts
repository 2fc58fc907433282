import type {PackPin} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {withPin} from './write-pin.ts';

const pin: PackPin = {id: 'notes', version: '1.1.0', integrity: 'sha256:b', source: 'git', url: '../notes', ref: 'v2'};

test('a pin is replaced, and everything else is kept', () => {
  const text = `# Ours.
id: demo
packs:
  # Approved by ann.
  - {id: notes, version: 1.0.0, integrity: 'sha256:a', source: git, url: ../notes, ref: v1, trust: sandboxed}
lanes: [{id: main}]
`;
  expect(withPin(text, pin)).toBe(`# Ours.
id: demo
packs:
  # Approved by ann.
  - {id: notes, version: 1.1.0, integrity: 'sha256:b', source: git, url: ../notes, ref: v2, trust: sandboxed}
lanes: [{id: main}]
`);
});

test.each(['packs: []', 'packs: # none yet', ''])('a pin is added to `%s`', (line) => {
  expect(withPin(`id: demo\n${line}\nlanes: []\n`, pin)).toMatch(/^ {2}- id: notes\n {4}version: 1\.1\.0$/mu);
});

test('the comments after the last rule keep their indentation: they are advice for the top level', () => {
  const text = `id: demo
packs: []
policies:
  rules:
    - id: one
    # - id: two

# agent_runtime:
#   default_model: demo
`;
  const written = withPin(text, pin);
  expect(written).toContain('\n    # - id: two\n\n# agent_runtime:\n#   default_model: demo\n');
  expect(written).toContain('- id: notes');
});

import {expect, test} from 'vitest';
import type {Guarantee} from './probe-report.ts';
import {refusal, tierOf, unmetAnywhere, unmetNeeds, type Guarantees} from './security-tier.ts';

const all: Guarantees = {
  filesystem: 'enforced',
  trusted_files: 'enforced',
  network_off: 'enforced',
  network_allowlist: 'enforced',
  network_full: 'enforced',
  processes: 'enforced',
  environment: 'enforced',
  system_calls: 'enforced',
  kernel: 'enforced',
  wall_time: 'enforced',
  cpu_time: 'enforced',
  memory: 'enforced',
  process_count: 'enforced',
  open_files: 'enforced',
  file_size: 'enforced',
  output: 'enforced',
};

test.each([
  [{}, 'hardened'],
  [{kernel: 'unsupported'}, 'standard'],
  [{kernel: 'best_effort'}, 'standard'],
  [{memory: 'best_effort', processes: 'best_effort'}, 'standard'],
  [{network_allowlist: 'unsupported', open_files: 'unsupported'}, 'hardened'],
  [{filesystem: 'best_effort'}, 'dev'],
  [{memory: 'unsupported'}, 'dev'],
] as const)('with %j a backend is of tier %s', (weaker, tier) => {
  expect(tierOf({...all, ...weaker})).toBe(tier);
});

test('a refusal names each missing guarantee and the remedy', () => {
  const guarantees: Guarantees = {...all, kernel: 'unsupported', memory: 'best_effort', process_count: 'best_effort'};
  expect(refusal('standard', {backend: 'bubblewrap', guarantees})).toBeUndefined();
  expect(refusal('hardened', {backend: 'bubblewrap', guarantees})).toEqual({
    message:
      'the backend `bubblewrap` does not reach the security tier `hardened`, which requires: `kernel` enforced (it is unsupported), `memory` enforced (it is best_effort), `process_count` enforced (it is best_effort)',
    help: 'use a backend with its own kernel, such as `gvisor`, or allow the host to create control groups (see `lumenflow sandbox doctor`), or set `security.sandbox.profile` to `standard`',
  });
  expect(refusal('dev', {backend: 'unsafe-host', guarantees: {...all, filesystem: 'unsupported'}})).toBeUndefined();
});

test('an unknown tier is refused for every backend', () => {
  const asked = JSON.parse('"strict"');
  expect(refusal(asked, {backend: 'bubblewrap', guarantees: all})).toEqual({
    message: '`strict` is not a security tier',
    help: 'use `standard`, `hardened` or `dev`',
  });
});

test('what a tool needs must be enforced', () => {
  const guarantees: Guarantees = {...all, kernel: 'unsupported', memory: 'best_effort'};
  expect(unmetNeeds(['filesystem', 'system_calls'], {backend: 'bubblewrap', guarantees})).toBeUndefined();
  expect(unmetNeeds(['kernel', 'memory'], {backend: 'bubblewrap', guarantees})).toMatchObject({
    message:
      'the backend `bubblewrap` does not meet the `needs` of the tool: `kernel` enforced (it is unsupported), `memory` enforced (it is best_effort)',
  });
});

test('a tier is unmet everywhere only if each backend lacks something that it requires', () => {
  const backend = (name: string, lacks: readonly Guarantee[]) => ({name, capabilities: {lacks}});
  const [bubblewrap, vm] = [backend('bubblewrap', ['kernel']), backend('vm', ['network_full'])];
  expect(unmetAnywhere('hardened', [bubblewrap, vm])).toBeUndefined();
  expect(unmetAnywhere('standard', [bubblewrap])).toBeUndefined();
  expect(unmetAnywhere('dev', [backend('none', ['filesystem'])])).toBeUndefined();
  expect(unmetAnywhere('hardened', [bubblewrap, backend('seatbelt', ['system_calls', 'kernel'])])).toMatchObject({
    message:
      'no configured backend reaches the security tier `hardened`: `bubblewrap` does not support `kernel`; `seatbelt` does not support `system_calls`, `kernel`',
  });
});

import {expect, test} from 'vitest';
import {tierOf} from '../backends/security-tier.ts';
import type {TrialFacts} from './container-trial.ts';
import {foundGuarantees, type TrialSetting} from './found-guarantees.ts';
import {ociRuntimes} from './oci-runtime.ts';

const sound: TrialFacts = {
  readCanary: false,
  written: [],
  interfaces: [],
  seesHost: false,
  environment: ['PATH', 'HOME'],
  capabilities: [],
  noNewPrivileges: true,
  isFiltered: true,
  unshared: false,
  kernel: '4.4.0 #1 SMP',
  openFilesBound: true,
  fileSizeBound: true,
};
const setting: TrialSetting = {
  runtime: ociRuntimes.gvisor,
  environment: ['PATH', 'HOME'],
  grouped: ['memory_bytes', 'processes'],
  hostKernel: '6.1.0 #1 SMP',
};

test('what a trial could not break is enforced', () => {
  expect(tierOf(foundGuarantees(sound, setting))).toBe('hardened');
  expect(tierOf(foundGuarantees(sound, {...setting, grouped: []}))).toBe('standard');
});

test.each([
  [{readCanary: true}, 'filesystem'],
  [{written: ['/usr']}, 'filesystem'],
  [{capabilities: ['CapEff']}, 'filesystem'],
  [{interfaces: ['eth0']}, 'network_off'],
  [{seesHost: true}, 'processes'],
  [{environment: ['PATH', 'SECRET']}, 'environment'],
  [{isFiltered: false}, 'system_calls'],
  [{unshared: true}, 'system_calls'],
  [{noNewPrivileges: false}, 'system_calls'],
  [{kernel: '6.1.0 #1 SMP'}, 'kernel'],
  [{openFilesBound: false}, 'open_files'],
  [{fileSizeBound: false}, 'file_size'],
] as const)('a trial that found %j proves that %s is not enforced', (found, guarantee) => {
  expect(foundGuarantees({...sound, ...found}, setting)[guarantee]).not.toBe('enforced');
});

test('a filter by names is best effort where the kernel is that of the host', () => {
  const shared = {...sound, kernel: '6.1.0 #1 SMP'};
  expect(foundGuarantees(shared, {...setting, runtime: ociRuntimes.runc}).system_calls).toBe('best_effort');
  expect(foundGuarantees(shared, {...setting, runtime: ociRuntimes.crun}).system_calls).toBe('enforced');
});

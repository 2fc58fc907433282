// What receipts say, by what trials in Pods found.
import type {TriedContainer} from '@lumenflow/sandbox/guest';
import {expect, test} from 'vitest';
import {guaranteesOf, type ClusterFacts} from './probe-cluster.ts';

const tried: TriedContainer = {
  facts: {
    readCanary: false,
    written: [],
    interfaces: ['eth0'],
    seesHost: false,
    environment: [],
    capabilities: [],
    noNewPrivileges: true,
    isFiltered: true,
    unshared: false,
    kernel: '6.1.0 #1 SMP',
    openFilesBound: true,
    fileSizeBound: true,
  },
  environment: [],
  grouped: ['memory_bytes'],
};
const held: ClusterFacts = {answers: [], memory: true, hasToken: false, nodeKernel: '6.1.0'};

test('an interface is not a network: what counts is whether anything answered', () => {
  expect(guaranteesOf(tried, held)).toMatchObject({
    network_off: 'enforced',
    filesystem: 'enforced',
    memory: 'enforced',
  });
  expect(guaranteesOf(tried, {...held, answers: ['192.0.2.1:443']}).network_off).toBe('unsupported');
});

test('a token, and a limit that did not end a program, are what they are', () => {
  expect(guaranteesOf(tried, {...held, hasToken: true}).filesystem).toBe('unsupported');
  expect(guaranteesOf(tried, {...held, memory: false}).memory).toBe('best_effort');
});

test('a separate kernel is one that differs from that of the node, which must be known', () => {
  expect(guaranteesOf(tried, held).kernel).toBe('unsupported');
  expect(guaranteesOf(tried, {...held, nodeKernel: undefined}).kernel).toBe('unsupported');
  expect(guaranteesOf(tried, {...held, nodeKernel: '6.9.9'}).kernel).toBe('enforced');
});

// Cases about the network. `listed` is on the allowlist; `loopback` is a server of the host's own.
import type {Difference, SandboxScenario} from './sandbox-scenario.fixture.ts';

const ownLoopback: Difference = {
  linux: 'allow',
  macos: 'deny',
  why: "a network namespace has its own loopback; on macOS it would be the host's",
};

export const networkScenarios: readonly SandboxScenario[] = [
  {
    name: 'network off',
    tree: ['a.txt'],
    read: ['**'],
    network: 'off',
    operations: {
      'connect loopback': 'deny',
      'connect listed': 'deny',
      'connect unlisted': 'deny',
      'listen loopback': ownLoopback,
    },
  },
  {
    name: 'network allowlist',
    tree: ['a.txt'],
    read: ['**'],
    network: 'allowlist',
    operations: {
      'connect loopback': 'deny',
      'connect unlisted': 'deny',
      'connect listed': {
        linux: 'allow',
        macos: 'deny',
        why: 'only the broker is reachable: programs must use the proxy named in their environment',
      },
      'connect broker': {linux: 'deny', macos: 'allow', why: 'there is no broker: connections are direct'},
      'listen loopback': ownLoopback,
    },
  },
  {
    name: 'network full',
    tree: ['a.txt'],
    read: ['**'],
    network: 'full',
    operations: {
      'connect loopback': 'deny',
      'listen loopback': {linux: 'allow', macos: 'deny', why: 'the network is for outgoing connections'},
    },
  },
];

// The network of a profile, as far as SBPL can express it: it supports the hosts `*` and `localhost` only.
import type {NetworkPosture} from '@lumenflow/schemas';
import {literal, type Rule} from './sbpl-text.ts';

const outbound = ['network-outbound'];
const nothing: Rule = {action: 'deny', operations: ['network*'], filters: []};
/** Services that look up names and certificates. */
const lookupServices = [
  '(global-name "com.apple.SystemConfiguration.DNSConfiguration")',
  '(global-name "com.apple.SystemConfiguration.configd")',
  '(global-name "com.apple.trustd.agent")',
];

/** `brokerPort`: the port on this machine at which an allowlist is enforced; without it nothing can be reached. */
export function networkRules(posture: NetworkPosture, brokerPort: number | undefined): readonly Rule[] {
  switch (posture) {
    case 'off':
      return [nothing];
    case 'allowlist':
      return brokerPort === undefined
        ? [nothing]
        : [nothing, {action: 'allow', operations: outbound, filters: [`(remote tcp "localhost:${brokerPort}")`]}];
    case 'full':
      return [
        nothing,
        {action: 'allow', operations: ['mach-lookup'], filters: lookupServices},
        {
          action: 'allow',
          operations: outbound,
          filters: ['(remote ip "*:*")', literal('/private/var/run/mDNSResponder')],
        },
        {action: 'deny', operations: outbound, filters: ['(remote ip "localhost:*")']},
      ];
    default:
      return posture satisfies never;
  }
}

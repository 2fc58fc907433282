// All attacks, by group, in the order in which they are made.
import type {Attack} from '../attack.ts';
import {betweenCallsAttacks} from './between-calls.ts';
import {codeAttacks} from './code.ts';
import {environmentAttacks} from './environment.ts';
import {forgedJournalAttacks} from './forged-journals.ts';
import {kernelAttacks} from './kernel.ts';
import {obeyedIndirectlyAttacks} from './obeyed-indirectly.ts';
import {ipcAttacks} from './ipc.ts';
import {linkInStepAttacks} from './links-in-steps.ts';
import {meanwhileAttacks} from './meanwhile.ts';
import {mountAttacks} from './mounts.ts';
import {networkAttacks} from './network.ts';
import {processAttacks} from './processes.ts';
import {readAttacks} from './reads.ts';
import {replacedOutsideAttacks} from './replaced-outside.ts';
import {resourceAttacks} from './resources.ts';
import {socketAttacks} from './sockets.ts';
import {environmentInProcess, threadAttacks} from './threads.ts';
import {trustedFileAttacks} from './trusted-files.ts';
import {unboundedResourceAttacks} from './unbounded-resources.ts';
import {unreadableTreeAttacks} from './unreadable-trees.ts';
import {writeAttacks} from './writes.ts';

export const attackGroups: Readonly<Record<string, readonly Attack[]>> = {
  filesystem: [...readAttacks, ...writeAttacks, ...mountAttacks, ...linkInStepAttacks],
  'trusted-files': [
    ...trustedFileAttacks,
    ...unreadableTreeAttacks,
    ...obeyedIndirectlyAttacks,
    ...replacedOutsideAttacks,
  ],
  meanwhile: meanwhileAttacks,
  recovery: forgedJournalAttacks,
  network: networkAttacks,
  processes: [...processAttacks, ...kernelAttacks],
  ipc: [...ipcAttacks, ...socketAttacks],
  environment: [...environmentInProcess, ...environmentAttacks],
  resources: [...resourceAttacks, ...unboundedResourceAttacks],
  code: codeAttacks,
  pool: [...threadAttacks, ...betweenCallsAttacks],
};

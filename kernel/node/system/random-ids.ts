// Ids that cannot be guessed, and that no two processes share.
import {randomUUID} from 'node:crypto';
import type {Ids} from '@lumenflow/kernel/adapters';

export function createRandomIds(): Ids {
  return {next: (prefix) => `${prefix}-${randomUUID()}`};
}

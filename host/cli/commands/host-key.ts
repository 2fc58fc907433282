import {ownKeysCommand, type OwnKeysOptions} from '../workers/own-keys-command.ts';
import type {Command} from '../command.ts';

export const hostKey: Command<OwnKeysOptions> = ownKeysCommand({
  folderOf: ({hostKeys}) => hostKeys,
  advice: 'on each worker, run `lumenflow worker trust` with the line above',
});

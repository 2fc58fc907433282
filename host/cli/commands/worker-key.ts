import {ownKeysCommand, type OwnKeysOptions} from '../workers/own-keys-command.ts';
import type {Command} from '../command.ts';

export const workerKey: Command<OwnKeysOptions> = ownKeysCommand({
  folderOf: ({worker}) => `${worker}/keys`,
  advice: 'on each host, run `lumenflow workers add NAME URL` with the line above',
});

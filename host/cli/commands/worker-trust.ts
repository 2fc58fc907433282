// `lumenflow worker trust` and `untrust`: the hosts whose calls this machine's worker runs. A running worker notices at once.
import {join} from 'node:path';
import {machineFoldersOf} from '../../keys/machine-folders.ts';
import {TrustedHosts} from '../../keys/trusted-hosts.ts';
import type {CliContext, Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {keyValue} from '../workers/key-value.ts';

const hostsOf = ({env}: CliContext): TrustedHosts =>
  new TrustedHosts(join(machineFoldersOf(env).worker, 'trusted-hosts'));

export const workerTrust: Command = async (context, [line]) => {
  const hosts = hostsOf(context);
  if (line === undefined) {
    const ids = [...hosts.keys().keys()];
    return {
      data: {hosts: ids},
      text: () => ids.map(cleanText).join('\n'),
      note: () => (ids.length === 0 ? context.errorStyle.dim('no host is trusted') : ''),
    };
  }
  const {id, isNew} = keyValue(await hosts.trust(line));
  return {
    data: {host: id, is_new: isNew},
    text: () => `${context.style.good('✔')} the worker runs calls of ${cleanText(id)}`,
  };
};

export const workerUntrust: Command = async (context, [nameOrId = '']) => {
  const ids = keyValue(await hostsOf(context).untrust(nameOrId));
  return {
    data: {hosts: ids},
    text: () => `${context.style.good('✔')} the worker no longer runs calls of ${ids.map(cleanText).join(', ')}`,
  };
};

// `lumenflow evidence witness trust`: the logs that a witness cosigns. A running server notices at once.
import type {TrustedLog} from '../../witness/witness-folder.ts';
import {counted} from '../../text/counted.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {witnessFolderOf} from '../witness-folder-of.ts';

interface Options {
  readonly origin?: string;
}

export const witnessTrust: Command<Options> = async (context, [folder = '', key], {origin}) => {
  const witness = witnessFolderOf(context, folder);
  if (key === undefined) {
    const logs = witness.logs();
    return await Promise.resolve({
      data: {logs},
      text: () => logs.map((log) => cleanText(`${log.origin} ${log.key}`)).join('\n'),
      note: () => (logs.length === 0 ? context.errorStyle.dim('no log is trusted') : ''),
    });
  }
  const trusted = witness.trust(logsOf(key, origin));
  if (!trusted.ok) {
    const {message, help} = trusted.problem;
    throw new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
  }
  const added = trusted.value.map((log) => log.origin);
  return {
    data: {added},
    text: () =>
      `${context.style.good('✔')} the witness cosigns ${added.length === 0 ? 'no more logs than before' : `${counted(added.length, 'more log')}: ${added.map(cleanText).join(', ')}`}`,
  };
};

/** A workspace signs two logs with one key. The logs of other programs are named after their key. */
function logsOf(key: string, origin: string | undefined): readonly TrustedLog[] {
  if (origin !== undefined) return [{origin, key}];
  const [name = ''] = key.split('+', 1);
  const origins = /^lumenflow-[0-9a-f]{8}$/u.test(name) ? [`${name}/events`, `${name}/traces`] : [name];
  return origins.map((each) => ({origin: each, key}));
}

// `lumenflow evidence witness init`: the key of a new witness.
import {resolve} from 'node:path';
import {WitnessFolder} from '../../witness/witness-folder.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';

interface Options {
  readonly name: string;
}

export const witnessInit: Command<Options> = async (context, [folder = ''], {name}) => {
  const created = WitnessFolder.create(resolve(context.cwd, folder), name);
  if (!created.ok) {
    const {message, help} = created.problem;
    throw new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
  }
  const {verifierKey} = created.value.key;
  const {errorStyle} = context;
  return await Promise.resolve({
    data: {folder, verifier_key: verifierKey},
    text: () => verifierKey,
    note: () => `${errorStyle.good('✔')} created a witness in ${folder}; its verifier key is above`,
  });
};

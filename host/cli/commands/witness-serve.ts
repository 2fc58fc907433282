// `lumenflow evidence witness serve`: cosigns checkpoints of other hosts, until a signal.
import {startWitnessServer} from '../../witness/start-witness-server.ts';
import type {CosignAnswer} from '../../witness/cosign-checkpoint.ts';
import {parseListen} from '../../worker/parse-listen.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {witnessFolderOf} from '../witness-folder-of.ts';

interface Options {
  readonly listen: string;
}

export const witnessServe: Command<Options> = async (context, [folder = ''], {listen}) => {
  const {style, signal} = context;
  const witness = witnessFolderOf(context, folder);
  const address = parseListen(listen);
  if (address === undefined) {
    throw new CliError('INVALID_ARGUMENT', `\`${listen}\` is not an address`, {
      help: 'give HOST:PORT, such as 127.0.0.1:7080',
      exitCode: exitCode.usage,
    });
  }
  const server = await startWitnessServer({
    folder: witness,
    ...address,
    now: Date.now,
    onAnswer: (answer) => context.log(lineOf(answer)),
    onError: (error) => context.log(`✘ ${cleanText(String(error))}\n`),
  });
  const {verifierKey} = witness.key;
  const origins = witness.logs().map(({origin}) => origin);
  context.announce({
    data: {url: server.url, verifier_key: verifierKey, logs: origins},
    text: () =>
      [
        `${style.good('✔')} the witness cosigns checkpoints at ${style.accent(server.url)}`,
        renderFields(
          [
            ['key', verifierKey],
            ['logs', origins.length > 0 ? origins.map(cleanText).join(', ') : noLogs],
            ['stop', 'Ctrl-C or SIGTERM'],
          ],
          style,
          2,
        ),
      ].join('\n'),
  });
  if (!signal.aborted) await new Promise<void>((stop) => signal.addEventListener('abort', () => stop(), {once: true}));
  await server.close();
  return undefined;
};

const noLogs = 'none: run `lumenflow evidence witness trust` with the verifier key of a workspace';

function lineOf({status, origin, reason}: CosignAnswer): string {
  const what = status === 200 ? 'cosigned' : `rejected with ${status}: ${reason ?? ''}`;
  return `${status === 422 ? '✘ ' : ''}${cleanText(origin ?? 'a request')}: ${cleanText(what)}\n`;
}

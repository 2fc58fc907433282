// `lumenflow pack validate`: loads a pack as a workspace does and lists every problem.
import {checkPack, type CheckedPack} from '../../definitions/check-pack.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {findPack, type FoundPack} from '../lookup/find-pack.ts';
import {packFolder} from '../lookup/pack-folder.ts';
import {placesFrom} from '../rendering/places-from.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderSarif} from '../rendering/render-sarif.ts';
import {sourceExcerpt} from '../rendering/source-excerpt.ts';
import {watchUntilStopped} from '../watch-until-stopped.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly format?: 'text' | 'json' | 'sarif';
  readonly watch?: boolean;
  readonly run?: boolean;
}

export const packValidate: Command<Options> = async (context, [name = '.'], options) => {
  if (options.watch !== true) return await validate(context, name, options);
  const folder = await packFolder(context, name);
  await watchUntilStopped(context, [folder], async () => {
    const outcome = await validate(context, name, options).catch((error: unknown) => unexpected(context, error));
    context.announce({...outcome, layout: 'line'});
  });
  return undefined;
};

async function validate(context: CliContext, name: string, {format, run}: Options): Promise<Outcome> {
  const found = await findPack(context, name);
  const checked = await context.spin('checking the pack', () =>
    checkPack(found.workspaceRoot, found.pin, run === true),
  );
  const outcome = outcomeOf(context, found, checked);
  if (format !== 'sarif' || context.json) return outcome;
  const places = {root: found.workspaceRoot, cwd: context.cwd};
  return {...outcome, text: () => renderSarif(checked.problems, places), note: () => ''};
}

function outcomeOf(context: CliContext, found: FoundPack, {pack, problems}: CheckedPack): Outcome {
  const {style, errorStyle, cwd} = context;
  const {id, version} = found.pin;
  const note = (): string => {
    const shown = placesFrom(cwd, found.workspaceRoot, problems);
    return problems.length === 0
      ? ''
      : renderProblems(shown, errorStyle, (where) => sourceExcerpt(where, cwd, errorStyle));
  };
  if (pack && problems.every(({severity}) => severity !== 'error')) {
    const {tools, integrity} = pack;
    const count = counted(tools.length, 'tool');
    return {
      data: {id, version, integrity, tools: tools.map(({declaration}) => declaration.name), problems},
      text: () => `${style.good('✔')} ${style.bold(`${id} ${version}`)} loads: ${count}`,
      note,
    };
  }
  const message = `the pack \`${id}\` ${pack ? 'has mistakes' : 'cannot be loaded'}`;
  const failure = {code: 'PACK_INVALID', message, details: {problems}};
  return {data: {}, failure, note: () => `${renderFailure(failure, {}, errorStyle)}\n\n${note()}`};
}

/** Reports an error while watching, and retries at the next change. */
function unexpected({errorStyle}: CliContext, error: unknown): Outcome {
  const {failure, help} = failureFromError(error);
  return {data: {}, failure, note: () => renderFailure(failure, help === undefined ? {} : {help}, errorStyle)};
}

// `lumenflow pack validate`: loads a pack as a workspace does and lists every problem.
import {checkExamples} from '../../authoring/check-examples.ts';
import {loadOwnPack} from '../../authoring/load-own-pack.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {findPack, type FoundPack} from '../lookup/find-pack.ts';
import {packFolder} from '../lookup/pack-folder.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderSarif} from '../rendering/render-sarif.ts';
import {sourceExcerpt} from '../rendering/source-excerpt.ts';
import {watchUntilStopped} from '../watch-until-stopped.ts';

interface Options {
  readonly format?: 'text' | 'json' | 'sarif';
  readonly watch?: boolean;
}

export const packValidate: Command<Options> = async (context, [name = '.'], {format, watch}) => {
  const run = format === 'sarif' && !context.json ? validateAsSarif : validateAsText;
  if (watch !== true) return await run(context, name);
  const folder = await packFolder(context, name);
  await watchUntilStopped(context, [folder], async () => {
    const outcome = await run(context, name).catch((error: unknown) => reportFailure(context, folder, error));
    context.announce({...outcome, layout: 'line'});
  });
  return undefined;
};

async function validateAsText(context: CliContext, name: string): Promise<Outcome> {
  return await validate(context, await findPack(context, name));
}

async function validateAsSarif(context: CliContext, name: string): Promise<Outcome> {
  let root = context.cwd;
  try {
    const found = await findPack(context, name);
    root = found.workspaceRoot;
    const outcome = await validate(context, found);
    return {data: outcome.data, text: () => renderSarif(outcome.problems, {root, cwd: context.cwd})};
  } catch (error) {
    const {failure, problems} = failureFromError(error);
    if (problems.length === 0) throw error;
    return {data: {}, failure, text: () => renderSarif(problems, {root, cwd: context.cwd})};
  }
}

/** Reports an error while watching, and retries at the next change. */
function reportFailure({errorStyle}: CliContext, folder: string, error: unknown): Outcome {
  const {failure, problems, help} = failureFromError(error);
  const excerptOf = (where: string): string | undefined => sourceExcerpt(where, folder, errorStyle);
  return {
    data: {},
    failure,
    note: () =>
      [
        renderFailure(failure, help === undefined ? {} : {help}, errorStyle),
        ...(problems.length === 0 ? [] : [renderProblems(problems, errorStyle, excerptOf)]),
      ].join('\n'),
  };
}

/** Throws CliError PACK_INVALID with the problems. */
async function validate(
  context: CliContext,
  {workspaceRoot, pin}: FoundPack,
): Promise<Outcome & {readonly problems: Parameters<typeof renderProblems>[0]}> {
  const {pack, problems} = await context.spin('loading the pack', () => loadOwnPack(workspaceRoot, pin));
  if (!pack) throw new CliError('PACK_INVALID', `the pack \`${pin.id}\` cannot be loaded`, {problems});
  const wrong = checkExamples(pack);
  if (wrong.length > 0) {
    const all = [...problems, ...wrong];
    throw new CliError('PACK_INVALID', `the pack \`${pin.id}\` has wrong examples`, {problems: all});
  }
  const {integrity, tools} = pack;
  const {id, version} = pin;
  const {style, errorStyle} = context;
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  return {
    problems,
    data: {id, version, integrity, tools: tools.map(({declaration}) => declaration.name), problems},
    text: () => `${style.good('✔')} ${style.bold(`${id} ${version}`)} loads: ${count}`,
    note: () => (problems.length === 0 ? '' : renderProblems(problems, errorStyle)),
  };
}

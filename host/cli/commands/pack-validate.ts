// `lumenflow pack validate`: loads a pack as a workspace would and lists all that is wrong with it.
import {createPackSource} from '../../packs/load-packs.ts';
import {version} from '../../version.ts';
import {CliError} from '../cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {failureOf} from '../failure-of.ts';
import {findPack, type FoundPack} from '../find-pack.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderSarif} from '../rendering/render-sarif.ts';

interface Options {
  readonly format?: 'text' | 'json' | 'sarif';
}

export const packValidate: Command<Options> = async (context, [name = '.'], {format}) => {
  if (format !== 'sarif' || context.json) return await validate(context, await findPack(context, name));
  let root = context.cwd;
  try {
    const found = await findPack(context, name);
    root = found.workspaceRoot;
    const outcome = await validate(context, found);
    return {data: outcome.data, text: () => renderSarif(outcome.problems, {root, cwd: context.cwd})};
  } catch (error) {
    const {failure, problems} = failureOf(error);
    if (problems.length === 0) throw error;
    return {data: {}, failure, text: () => renderSarif(problems, {root, cwd: context.cwd})};
  }
};

/** Throws CliError PACK_INVALID with the problems. */
async function validate(
  context: CliContext,
  {workspaceRoot, pin}: FoundPack,
): Promise<Outcome & {readonly problems: Parameters<typeof renderProblems>[0]}> {
  const source = createPackSource({workspaceRoot, lumenflowVersion: version, isWithoutConfigs: true});
  try {
    const {packs, problems} = await context.spin('loading the pack', () =>
      source.load({pins: [{...pin, integrity: 'dev'}], configs: {}, locate: () => 'workspace.yaml'}),
    );
    const [pack] = packs;
    if (!pack || problems.some(({severity}) => severity === 'error')) {
      throw new CliError('PACK_INVALID', `the pack \`${pin.id}\` cannot be loaded`, {problems});
    }
    const {integrity, tools} = pack;
    const {id, version: packVersion} = pin;
    const {style, errorStyle} = context;
    const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
    return {
      problems,
      data: {id, version: packVersion, integrity, tools: tools.map(({declaration}) => declaration.name), problems},
      text: () => `${style.good('✔')} ${style.bold(`${id} ${packVersion}`)} loads: ${count}`,
      note: () => (problems.length === 0 ? '' : renderProblems(problems, errorStyle)),
    };
  } finally {
    source.close();
  }
}

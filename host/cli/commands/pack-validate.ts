// `lumenflow pack validate`: loads a pack as a workspace would and lists all that is wrong with it.
import {createPackSource} from '../../packs/load-packs.ts';
import {version} from '../../version.ts';
import {CliError} from '../cli-error.ts';
import type {Command} from '../command.ts';
import {findPack} from '../find-pack.ts';
import {renderProblems} from '../rendering/render-problems.ts';

export const packValidate: Command = async (context, [folder = '.']) => {
  const {workspaceRoot, pin} = await findPack(context, folder);
  const source = createPackSource({workspaceRoot, lumenflowVersion: version});
  try {
    const {packs, problems} = await context.spin('loading the pack', () =>
      source.load({pins: [{...pin, integrity: 'dev'}], configs: {}, locate: () => 'workspace.yaml'}),
    );
    const [pack] = packs;
    if (!pack || problems.some(({severity}) => severity === 'error')) {
      throw new CliError('PACK_INVALID', `the pack \`${pin.id}\` cannot be loaded`, {problems});
    }
    const {integrity, tools} = pack;
    return {
      data: {
        id: pin.id,
        version: pin.version,
        integrity,
        tools: tools.map(({declaration}) => declaration.name),
        problems,
      },
      text: () =>
        `${context.style.good('✔')} ${context.style.bold(`${pin.id} ${pin.version}`)} loads: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
      note: () => (problems.length === 0 ? '' : renderProblems(problems, context.errorStyle)),
    };
  } finally {
    source.close();
  }
};

// `lumenflow pack add`: pins a pack in workspace.yaml and installs it.
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {openPacks} from '../lookup/open-packs.ts';
import {fetchCandidate} from '../pins/fetch-candidate.ts';
import {sourceOf} from '../pins/source-of.ts';
import {writePin} from '../pins/write-pin.ts';
import {renderNewTools} from '../rendering/render-tool-changes.ts';
import {packInstall} from './pack-install.ts';

interface Options {
  /** The folder of the pack in its repository. */
  readonly path?: string;
}

export const packAdd: Command<Options> = async (context, [named = ''], {path}) => {
  const packs = await openPacks(context);
  try {
    const words = sourceOf(named, {cwd: context.cwd, workspaceRoot: packs.workspaceRoot});
    const {pin, changes} = await context.spin(`fetching ${named}`, () =>
      fetchCandidate(context, packs, {...words, ...(path !== undefined && {path})}),
    );
    const known = packs.request.pins.find(({id}) => id === pin.id);
    if (known) {
      throw new CliError('USAGE', `the pack \`${pin.id}\` is already pinned`, {
        help: `to change its version, run \`lumenflow pack update ${pin.id}\``,
        exitCode: exitCode.usage,
      });
    }
    await writePin(packs.workspaceRoot, pin);
    const installed = await packInstall({...context, workspace: packs.workspaceRoot}, [pin.id], {});
    const {style, errorStyle} = context;
    return {
      data: {pin, tools: changes.map(({tool}) => tool), ...(installed && {install: installed.data})},
      text: () => renderNewTools(changes, style),
      note: () => `${errorStyle.good('✔')} pinned ${pin.id} ${pin.version}: commit workspace.yaml and packs.lock`,
    };
  } finally {
    packs.source.close();
  }
};

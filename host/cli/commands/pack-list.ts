// `lumenflow pack list`: the packs of the workspace.
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {withHost} from '../with-host.ts';

export const packList: Command = async (context) =>
  await withHost(context, async ({runtime}) => {
    const packs = [...runtime.workspace.packs.values()].map(({pin, manifest, integrity, root, tools}) => ({
      id: manifest.id,
      version: manifest.version,
      source: pin.source,
      trust: pin.trust ?? 'sandboxed',
      pinned: pin.integrity !== 'dev',
      integrity,
      folder: root,
      tools: tools.length,
    }));
    const {style, errorStyle} = context;
    const columns: Parameters<typeof renderTable<(typeof packs)[number]>>[1] = [
      {title: 'PACK', cell: ({id}) => id, shrinksTo: 16, paint: () => style.bold},
      {title: 'VERSION', cell: ({version}) => version},
      {title: 'TOOLS', cell: ({tools}) => String(tools), align: 'right'},
      {title: 'TRUST', cell: ({trust}) => trust},
      {
        title: 'PINNED',
        cell: ({pinned}) => (pinned ? 'yes' : 'no'),
        paint: ({pinned}) => (pinned ? style.good : style.warning),
      },
      {title: 'FOLDER', cell: ({folder}) => folder, shrinksTo: 12},
    ];
    return {
      data: {packs},
      text: () => (packs.length === 0 ? '' : renderTable(packs, columns, style)),
      note: () => (packs.length === 0 ? errorStyle.dim('no packs: pin one under `packs:` in workspace.yaml') : ''),
    };
  });

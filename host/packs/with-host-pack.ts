// A pack source that adds the local handlers of a host to the packs of the workspace.
import type {LoadedPack, Outcome, PackRequest, Problem} from '@lumenflow/kernel';
import type {HostPackSource} from '../packs/pack-source.ts';
import {localPackId} from './create-local-pack.ts';

export function withLocalPack(source: HostPackSource, local: Outcome<LoadedPack, readonly Problem[]>): HostPackSource {
  return {
    ...source,
    async load(request) {
      const standing = request.standing?.filter((pack) => !local.ok || pack !== local.value);
      const {packs, problems} = await source.load({...request, ...(standing && {standing})});
      if (!local.ok) return {packs, problems: [...problems, ...local.problem]};
      return {packs: [...packs, local.value], problems: [...problems, ...clashes(local.value, packs, request)]};
    },
  };
}

function clashes(local: LoadedPack, packs: readonly LoadedPack[], {pins, locate}: PackRequest): readonly Problem[] {
  const pinned = pins.findIndex(({id}) => id === localPackId);
  const taken = new Map(
    packs.flatMap(({manifest, tools}) => tools.map(({declaration}) => [declaration.name, manifest.id])),
  );
  return [
    ...(pinned === -1 ? [] : [reserved(locate(`/packs/${pinned}/id`))]),
    ...local.tools.flatMap(({declaration: {name}, where}) => {
      const pack = taken.get(name);
      return pack === undefined ? [] : [duplicate(name, pack, where)];
    }),
  ];
}

function reserved(where: string): Problem {
  return {
    code: 'PACK_NAME_RESERVED',
    severity: 'error',
    message: `\`${localPackId}\` is the pack of the handlers that the program passes to the host`,
    where,
    help: 'choose another name',
  };
}

function duplicate(name: string, pack: string, where: string): Problem {
  return {
    code: 'PACK_TOOL_DUPLICATE',
    severity: 'error',
    message: `the tool \`${name}\` is declared by the pack \`${pack}\` too`,
    where,
    help: 'rename the handler, or remove the pack',
  };
}

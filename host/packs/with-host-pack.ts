// A pack source that adds a pack of the host itself to the packs of the workspace.
import type {LoadedPack, Outcome, PackRequest, Problem} from '@lumenflow/kernel';
import type {HostPackSource} from './pack-source.ts';

export interface HostPack {
  /** A workspace cannot pin a pack of this id. */
  readonly id: string;
  /** Called for each load, because its tools can have changed. */
  make(): Outcome<LoadedPack, readonly Problem[]>;
  /** What it is, after its id. */
  readonly description: string;
}

export function withHostPack(source: HostPackSource, added: HostPack): HostPackSource {
  return {
    ...source,
    async load(request) {
      const pack = added.make();
      const standing = request.standing?.filter(({manifest}) => manifest.id !== added.id);
      const {packs, problems} = await source.load({...request, ...(standing && {standing})});
      if (!pack.ok) return {packs, problems: [...problems, ...pack.problem]};
      return {packs: [...packs, pack.value], problems: [...problems, ...clashes(added, pack.value, packs, request)]};
    },
  };
}

function clashes(
  {id, description}: HostPack,
  own: LoadedPack,
  packs: readonly LoadedPack[],
  {pins, locate}: PackRequest,
): readonly Problem[] {
  const pinned = pins.findIndex((pin) => pin.id === id);
  const taken = new Map(
    packs.flatMap(({manifest, tools}) => tools.map(({declaration}) => [declaration.name, manifest.id])),
  );
  return [
    ...(pinned === -1 ? [] : [reserved(id, description, locate(`/packs/${pinned}/id`))]),
    ...own.tools.flatMap(({declaration: {name}, where}) => {
      const pack = taken.get(name);
      return pack === undefined ? [] : [duplicate(name, pack, where)];
    }),
  ];
}

function reserved(id: string, description: string, where: string): Problem {
  return {
    code: 'PACK_NAME_RESERVED',
    severity: 'error',
    message: `\`${id}\` is the pack of ${description}`,
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
    help: `rename it, or remove the pack \`${pack}\``,
  };
}

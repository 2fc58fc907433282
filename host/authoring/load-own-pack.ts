// Loads a pack in its author's folder as a workspace would, but without a workspace.
import type {LoadedPack, Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {createPackSource} from '../packs/pack-source.ts';
import {version} from '../version.ts';

export interface OwnPack {
  /** Absent when there is a problem of severity error. */
  readonly pack?: LoadedPack;
  readonly problems: readonly Problem[];
}

/** A missing required config is a warning; nothing is kept running. */
export async function loadOwnPack(workspaceRoot: string, pin: PackPin): Promise<OwnPack> {
  const source = createPackSource({workspaceRoot, lumenflowVersion: version, isWithoutConfigs: true});
  try {
    const pins = [{...pin, integrity: 'dev'}];
    const {packs, problems} = await source.load({pins, configs: {}, locate: () => 'workspace.yaml'});
    const [pack] = packs;
    return pack && !problems.some(({severity}) => severity === 'error') ? {pack, problems} : {problems};
  } finally {
    source.close();
  }
}

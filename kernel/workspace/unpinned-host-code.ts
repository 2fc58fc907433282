// Packs that run in the host's process without a hash in their pin: a program that changes their files has the host's rights.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export function unpinnedHostCode({spec, locate}: Written): readonly Problem[] {
  return spec.packs.flatMap(({id, integrity, source, trust, path}, index): readonly Problem[] => {
    if (integrity !== 'dev' || source !== 'local' || trust !== 'in_process') return [];
    return [
      {
        code: 'PACK_SOURCE_RUNS_IN_HOST',
        severity: 'warning',
        message: `pack \`${id}\` runs in the host's process without a pinned hash: a program that changes its files in \`${path ?? ''}\` runs with the host's rights`,
        where: locate(`/packs/${index}/integrity`),
        help: `pin the hash that \`lumenflow pack hash ${id}\` prints, or remove \`trust: in_process\``,
      },
    ];
  });
}

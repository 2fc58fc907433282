// Witnesses of workspace.yaml that do not answer from here. Calls run without them, and their checkpoints are not cosigned.
import type {Problem} from '@lumenflow/kernel';
import type {WorkspaceSource} from '@lumenflow/kernel/adapters';
import {probeWitness} from '@lumenflow/kernel/node';

/** A witness that is reachable answers sooner. */
const timeoutMs = 5_000;

export async function unreachableWitnesses({
  spec,
  locate,
}: Pick<WorkspaceSource, 'spec' | 'locate'>): Promise<readonly Problem[]> {
  const servers = spec.evidence?.witnesses?.servers ?? [];
  const found = await Promise.all(
    servers.map(async ({url}, at): Promise<readonly Problem[]> => {
      const reason = await probeWitness(url, AbortSignal.timeout(timeoutMs));
      if (reason === undefined) return [];
      const problem: Problem = {
        code: 'WITNESS_UNREACHABLE',
        severity: 'warning',
        message: `the witness at ${url} cannot cosign: ${reason}`,
        where: locate(`/evidence/witnesses/servers/${at}/url`),
        help: 'start the witness, or correct its address',
      };
      return [problem];
    }),
  );
  return found.flat();
}

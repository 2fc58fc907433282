// Witnesses of workspace.yaml that could never cosign, or whose cosignature would count twice.
import type {Problem} from '@lumenflow/kernel';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {parseWitnessKey} from '../witness/witness-key.ts';

export function witnessProblems({evidence}: WorkspaceSpec, locate: (pointer: string) => string): readonly Problem[] {
  const {servers = [], required = 0} = evidence?.witnesses ?? {};
  const problems: Problem[] = [];
  const report = (pointer: string, message: string, help: string): void => {
    problems.push({code: 'WITNESS_INVALID', severity: 'error', message, where: locate(pointer), pointer, help});
  };
  const at = '/evidence/witnesses';
  if (required > servers.length) {
    const message = `${required} witnesses are required, and ${servers.length} are named`;
    report(`${at}/required`, message, 'name more witnesses, or require fewer');
  }
  const known = new Set<string>();
  for (const [index, {key}] of servers.entries()) {
    const pointer = `${at}/servers/${index}/key`;
    // Under another name, the same key would be another signature by the same witness.
    const publicKey = key.split('+').slice(2).join('+');
    if (parseWitnessKey(key) === undefined) {
      const help = 'copy the whole key that `lumenflow evidence witness init` printed';
      report(pointer, 'this is not the verifier key of a witness', help);
    } else if (known.has(publicKey)) report(pointer, 'this key is named twice', 'remove one of the servers');
    known.add(publicKey);
  }
  return problems;
}

// How far an engine has been tried: shown by `lumenflow engine doctor`, and described in docs/engines.md.
import type {EngineSettings} from '@lumenflow/schemas';

/** contract-tested: LumenFlow's tests use the real client and worker, with a stand-in for the server. */
export type EngineReadiness = 'tested' | 'contract-tested';

export function engineReadiness(kind: EngineSettings['kind']): EngineReadiness {
  return kind === 'temporal' ? 'contract-tested' : 'tested';
}

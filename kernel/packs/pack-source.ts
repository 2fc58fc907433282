// Where packs come from: the port that the host's loader implements.
import type {PackPin, PackSecurity} from '@lumenflow/schemas';
import type {Problem} from '../problem.ts';
import type {LoadedPack} from './loaded-pack.ts';

export interface PackRequest {
  readonly pins: readonly PackPin[];
  /** Root keys of workspace.yaml beyond its own: each must be the config_key of a pack. */
  readonly configs: Readonly<Record<string, unknown>>;
  /** Packs that are returned unchanged: their pins are not loaded again. */
  readonly standing?: readonly LoadedPack[];
  /** `security.packs` of workspace.yaml. */
  readonly security?: PackSecurity | undefined;
  /** `file:line:column` of the value at a JSON pointer into workspace.yaml, or of its key. */
  locate(pointer: string, part?: 'key'): string;
}

export interface PackSource {
  /** Loads what it can and lists every problem it finds. */
  load(request: PackRequest): Promise<{readonly packs: readonly LoadedPack[]; readonly problems: readonly Problem[]}>;
  /** Called for a replaced pack after its last call has ended. */
  release?(pack: LoadedPack): void;
}

// Cosignatures that several hosts share. Each host keeps copies of them in files, so that it can publish and complete checkpoints.
import type {LogName} from '../log/log-name.ts';

export interface CosignatureId {
  readonly size: number;
  /** The id of the witness's key, in hex. */
  readonly keyId: string;
}

export interface SharedCosignatures {
  /** For people. */
  readonly location: string;
  ids(log: LogName): Promise<readonly CosignatureId[]>;
  /** A whole signed note, with the cosignature. */
  read(log: LogName, id: CosignatureId): Promise<string | undefined>;
  /** Does nothing if there is one of this size by this witness. */
  keep(log: LogName, id: CosignatureId, note: string): Promise<void>;
}

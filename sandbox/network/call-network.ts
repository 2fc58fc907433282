// The network of one call, of any kind. It may be opened before its call arrives; until then nothing is allowed through or looked
// up.
import type {NetworkAttachment} from '../backends/network-attachment.ts';
import type {NetworkAudit} from './network-audit.ts';

export type NetworkReport = ReturnType<NetworkAudit['report']>;

export interface CallNetwork {
  readonly attachment: NetworkAttachment;
  readonly degraded: readonly string[];
  /** Resolves if a request arrives before its call. The request is refused. */
  readonly early: Promise<void>;
  /** Its call has come. */
  begin(): void;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
  /** The totals so far. */
  report(): NetworkReport;
  /** Delivers data that is under way, closes everything and returns the totals. */
  close(): Promise<NetworkReport>;
}

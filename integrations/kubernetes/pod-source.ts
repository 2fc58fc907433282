// What runs the calls of a host in a cluster: a Job for each, or a claim of a Sandbox that waits in a pool.
import type {V1Pod} from '@kubernetes/client-node';
import type {Outcome} from '@lumenflow/sandbox/backends';

export interface PodOrder {
  readonly name: string;
  readonly memoryBytes: number;
  readonly fileRoots: readonly string[];
  readonly fileBytes: number;
  readonly tmpBytes: number;
}

export interface PodSource {
  /** Creates it, and waits until it runs. Leaves nothing behind if it does not. */
  start(order: PodOrder): Promise<Outcome<V1Pod>>;
  /** Ends it with all that belongs to it. Rejects if the cluster refuses. */
  end(name: string): Promise<void>;
}

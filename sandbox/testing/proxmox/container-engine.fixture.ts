// What runs the containers behind the stand-in for Proxmox VE.
export interface ContainerEngine {
  copy(from: number, to: number): Promise<void>;
  /** Rejects with the reason. Mebibytes and cores of `config` apply. */
  start(id: number, config: ContainerSettings): Promise<void>;
  stop(id: number): Promise<void>;
  /** Of a container that runs. */
  limit(id: number, config: ContainerSettings): Promise<void>;
  save(id: number, name: string): Promise<void>;
  restore(id: number, name: string): Promise<void>;
  remove(id: number): Promise<void>;
  /** Its address, as the server of the bridge would have given it. */
  addressOf(id: number): string;
}

export interface ContainerSettings {
  readonly memory: number;
  readonly cores: number;
}

/** Runs nothing: for tests of what is asked of Proxmox VE. */
export function emptyEngine(address = '127.0.0.1'): ContainerEngine {
  const nothing = async (): Promise<void> => undefined;
  return {
    copy: nothing,
    start: nothing,
    stop: nothing,
    limit: nothing,
    save: nothing,
    restore: nothing,
    remove: nothing,
    addressOf: () => address,
  };
}

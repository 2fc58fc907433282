// What a call's network is for the backend that starts the call in it.

/** A namespace that a backend has made itself, because what it starts cannot be started in one of the host's. */
export interface NetworkHome {
  /** As the backend calls it. */
  readonly name: string;
  /** Prefix of a command that starts it inside, with all rights over the network there. */
  readonly enter: readonly string[];
  /** Leaves nothing behind. */
  close(): Promise<void>;
}

export type NetworkAttachment =
  | {
      readonly kind: 'namespace';
      /** Prefix of a command line that starts the command inside the namespace. */
      readonly enter: readonly string[];
      /** Of the namespace, for root. */
      readonly path: string;
      /** The home that the namespace is that of, if the backend has opened one. */
      readonly home?: NetworkHome | undefined;
    }
  | {
      readonly kind: 'proxy';
      /** On the loopback of this machine: the only port that the call may connect to. */
      readonly port: number;
      /** The proxy address for programs, with the credential of the call. */
      readonly env: Readonly<Record<string, string>>;
    };

// What a call's network is for the backend that starts the call in it.
export type NetworkAttachment =
  | {
      readonly kind: 'namespace';
      /** Prefix of a command line that starts the command inside the namespace. */
      readonly enter: readonly string[];
    }
  | {
      readonly kind: 'proxy';
      /** On the loopback of this machine: the only port that the call may connect to. */
      readonly port: number;
      /** The proxy address for programs, with the credential of the call. */
      readonly env: Readonly<Record<string, string>>;
    };

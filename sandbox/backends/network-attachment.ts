// What a call's network is for the backend that starts the call in it.
export type NetworkAttachment =
  | {
      readonly kind: 'namespace';
      /** Prefix of a command line that starts it inside the namespace. */
      readonly enter: readonly string[];
    }
  | {
      readonly kind: 'proxy';
      /** On the loopback of this machine: all that the call may connect to. */
      readonly port: number;
      /** Where programs find it, with the call's own credential. */
      readonly env: Readonly<Record<string, string>>;
    };

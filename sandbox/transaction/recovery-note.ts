/** What a recovery did or could not do, for people. */
export interface RecoveryNote {
  /**
   * `undone`: everything is as before the call. `left`: paths that were changed since were left, the others are as before.
   * `set_aside`: nothing was undone, and the transaction is kept. `litter`: something could not be removed. `unreadable`:
   * something could not be read.
   */
  readonly kind: 'undone' | 'left' | 'set_aside' | 'litter' | 'unreadable';
  readonly message: string;
  /** Relative to the workspace. */
  readonly where: string;
  readonly help?: string;
  /** Paths that were left as they are. */
  readonly paths?: readonly string[];
}

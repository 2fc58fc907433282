/** What a recovery did or could not do, for people. */
export interface RecoveryNote {
  /**
   * undone: all is as before the call. left: but for paths that were changed since. set_aside: nothing was taken back, the
   * transaction is kept. litter, unreadable: something is in the way of removing or of looking.
   */
  readonly kind: 'undone' | 'left' | 'set_aside' | 'litter' | 'unreadable';
  readonly message: string;
  /** Relative to the workspace. */
  readonly where: string;
  readonly help?: string;
  /** Paths that were left as they are. */
  readonly paths?: readonly string[];
}

// A problem found while loading a workspace or a pack. Loading collects problems and lists them all.

export interface Problem {
  /** Stable, from the table of the part that found it, for example `PACK_MANIFEST_INVALID`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** `file:line:column`, or only `file` if the problem has no position in it. */
  readonly where: string;
  /** JSON pointer into the file, if there is one. */
  readonly pointer?: string | undefined;
  /** What to do about it. */
  readonly help?: string | undefined;
}

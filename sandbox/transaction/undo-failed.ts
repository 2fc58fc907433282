export interface RefusedPath {
  readonly path: string;
  readonly why: string;
}

const shownMax = 10;

/** Paths that remain as a call left them, although the call was not applied as a whole: the system refused to restore them. */
export class UndoFailed extends Error {
  constructor(refused: readonly RefusedPath[], options?: ErrorOptions) {
    const shown = refused.slice(0, shownMax).map(({path, why}) => `\`${path}\` (${why})`);
    const more = refused.length > shown.length ? ` and ${refused.length - shown.length} more` : '';
    super(`these paths could not be restored and remain as the call left them: ${shown.join(', ')}${more}`, options);
    this.name = 'UndoFailed';
  }
}

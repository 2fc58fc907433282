/** A call has made a path that is too long to be applied. */
export class PathTooLong extends Error {
  override readonly name = 'PathTooLong';
}

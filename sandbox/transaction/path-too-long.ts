/** A call has created a path that is too long to apply. */
export class PathTooLong extends Error {
  override readonly name = 'PathTooLong';
}

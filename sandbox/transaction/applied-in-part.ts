/** Changes that could neither be applied as a whole nor be taken back as a whole: its message says what is left where. */
export class AppliedInPart extends Error {
  override readonly name = 'AppliedInPart';
}

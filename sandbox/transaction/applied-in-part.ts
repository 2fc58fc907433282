/** Changes that could be neither applied nor undone as a whole. The message lists what remains and where. */
export class AppliedInPart extends Error {
  override readonly name = 'AppliedInPart';
}

// Work that all who ask for it at the same time share: so calls that come together go to a thread together.

/** Asks for the work: it is done once, when the promises that are settled now have been heard. */
export function onceATurn(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    process.nextTick(() => {
      asked = false;
      work();
    });
  };
}

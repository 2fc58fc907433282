/** Ignores that an object to delete does not exist any more. */
export async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if ((error as {readonly code?: unknown}).code !== 404) throw error;
  }
}

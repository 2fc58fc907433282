import {errorCode} from '../error-code.ts';

/** Returns undefined if the path does not exist or leads through something other than a directory; rejects for other errors. */
export async function undefinedIfMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

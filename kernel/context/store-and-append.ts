// Appends what refers to contents that are stored first. Between the two, a rule of the workspace can delete an old content that is equal to
// one of them. It is then stored again, so that nothing refers to a content that is gone.
import {isContentDeleted} from '../errors.ts';

/** A deletion has few steps that reach the same content. */
const attemptsMax = 10;

/** `store` stores the contents and appends the records or events that refer to them. */
export async function storeAndAppend<Result>(store: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (error) {
      if (!isContentDeleted(error) || attempt === attemptsMax) throw error;
    }
  }
}

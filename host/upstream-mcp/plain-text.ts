// A server's text for lists that people read: one line without escape sequences and characters that change the direction of text.
import {cutText} from '@lumenflow/kernel';
const textMax = 500;

export function plainText(text: string): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '');
  return cutText(plain, textMax);
}

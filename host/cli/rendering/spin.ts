// Shows activity on stderr during long work, and removes it afterwards.
import {cleanLine} from './clean-text.ts';
import {fitText} from './fit-text.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 80;
/** Shorter work shows nothing. */
const quietMs = 250;

export interface SpinnerPlace {
  readonly stream: {write(text: string): unknown; readonly columns?: number};
  readonly isShown: boolean;
}

export async function spin<T>(
  {stream, isShown}: SpinnerPlace,
  label: string,
  work: (say: (text: string) => void) => Promise<T>,
): Promise<T> {
  if (!isShown) return await work(() => undefined);
  let text = label;
  let ticks = 0;
  const draw = (): void => {
    ticks += 1;
    if (ticks * frameMs < quietMs) return;
    const line = fitText(cleanLine(text), (stream.columns ?? 80) - 3);
    stream.write(`\r\u001b[2K${frames[ticks % frames.length] ?? ''} ${line}`);
  };
  const timer = setInterval(draw, frameMs);
  try {
    return await work((next) => {
      text = next;
    });
  } finally {
    clearInterval(timer);
    if (ticks * frameMs >= quietMs) stream.write('\r\u001b[2K');
  }
}

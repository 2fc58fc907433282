// An error that a command did not catch, as its stderr shows it: one line that says what happened, then what Node prints, without
// the frames of the adapter.
import {fileURLToPath} from 'node:url';
import {inspect} from 'node:util';

/** In a bundle, the folder of all bundles: scripts of commands are elsewhere. */
const adapter = fileURLToPath(new URL('..', import.meta.url));

export function uncaughtText(error: unknown): string {
  const shown = inspect(error);
  if (!(error instanceof Error)) return `Uncaught ${shown}\n`;
  const [headline = ''] = String(error).split('\n');
  const text = withoutLauncher(shown);
  return text.startsWith(headline) ? `Uncaught ${text}\n` : `Uncaught ${headline}\n${text}\n`;
}

/** The outermost frames, up to the last one that is neither of the adapter nor of Node. */
function withoutLauncher(shown: string): string {
  const lines = shown.split('\n');
  const isFrame = (line: string): boolean => /^ {4}at /u.test(line);
  const isOwn = (line: string): boolean => line.includes(adapter);
  const first = lines.findIndex(isFrame);
  if (first === -1) return shown;
  const after = lines.findIndex((line, index) => index > first && !isFrame(line));
  const frames = lines.slice(first, after === -1 ? undefined : after);
  if (!frames.some(isOwn)) return shown;
  const kept = frames.findLastIndex((line) => !isOwn(line) && !line.includes('node:')) + 1;
  return [...lines.slice(0, first + kept), ...(after === -1 ? [] : lines.slice(after))].join('\n').trimEnd();
}

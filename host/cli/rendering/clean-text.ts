// Makes text from tools, files and other people safe to show on a terminal.
import {showControls} from '../../text/show-controls.ts';

/** Keeps line breaks and tabs. */
export function cleanText(text: string): string {
  return showControls(text.replaceAll('\r\n', '\n'));
}

/** For one cell or line: line breaks and tabs become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/[\n\t]+/g, ' ');
}

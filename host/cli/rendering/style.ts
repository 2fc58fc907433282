// Colours and width of the terminal, as values. Without colours, every paint returns its text.
import picocolors from 'picocolors';

export type Paint = (text: string) => string;

export interface Style {
  /** Columns of the terminal; 80 if the stream is not a terminal. */
  readonly width: number;
  /** Columns that a table may fill. A stream that is not a terminal gets whole cells. */
  readonly tableWidth: number;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  /** For names, commands and locations. */
  readonly accent: Paint;
}

interface StyleOptions extends Pick<Style, 'width'> {
  readonly colour: boolean;
  /** Default: the width. */
  readonly tableWidth?: number;
}

export function createStyle({colour, width, tableWidth = width}: StyleOptions): Style {
  const {bold, dim, green, red, yellow, cyan} = picocolors.createColors(colour);
  return {width, tableWidth, bold, dim, good: green, bad: red, warning: yellow, accent: cyan};
}

/** For text that is indented by a number of columns. */
export function within(style: Style, indent: number): Style {
  return {...style, width: style.width - indent, tableWidth: style.tableWidth - indent};
}

/** The paint for a decision, result or state: good if allowed, warning if waiting, bad if denied. */
export function paintOf(style: Style, word: string): Paint {
  if (['allow', 'success', 'verified', 'approved', 'active', 'done'].includes(word)) return style.good;
  if (['deny', 'denied', 'invalid', 'failure', 'crashed', 'rejected', 'tampered', 'truncated'].includes(word))
    return style.bad;
  if (['approval_required', 'pending', 'blocked', 'open', 'admin'].includes(word)) return style.warning;
  return (text) => text;
}

// The files that npm ships of a pack, as the commands that hash and sign it report them.
import type {PackShipping} from '../../packs/judge-integrity.ts';
import type {Style} from './style.ts';
import {counted} from '../../text/counted.ts';
import {pathText} from '../../changes/path-text.ts';

const namesMax = 5;

export interface DescribedShipping {
  readonly data: {
    readonly files: number;
    readonly left_out: readonly string[];
    readonly missing: readonly string[];
  };
  /** One line, and one for the files that the pack lacks without them. */
  note(style: Style): string;
}

export function describeShipping({shipped, leftOut, missing}: PackShipping): DescribedShipping {
  return {
    data: {files: shipped.length, left_out: leftOut, missing},
    note: (style) => {
      const rest = leftOut.length === 0 ? '' : `; npm leaves out ${leftOut.length}: ${names(leftOut)}`;
      const line = style.dim(`${counted(shipped.length, 'file')}${rest}`);
      if (missing.length === 0) return line;
      const warning = `the pack needs ${names(missing)}, but npm leaves out this file: add it to \`files\` in package.json`;
      return `${line}\n${style.warning('!')} ${missing.length === 1 ? warning : warning.replace('this file: add it', 'these files: add them')}`;
    },
  };
}

function names(paths: readonly string[]): string {
  const shown = paths.slice(0, namesMax).map((path) => `\`${pathText(path)}\``);
  return paths.length > namesMax ? `${shown.join(', ')} …` : shown.join(', ');
}

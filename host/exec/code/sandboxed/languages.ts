// How each language is started. A program writes its requests to descriptor 3 and reads the answers from descriptor 4, one a line.
import type {CodeLanguage} from '@lumenflow/schemas';
import {javascriptClient} from './javascript-client.ts';
import {pythonClient} from './python-client.ts';
import {shellClient} from './shell-client.ts';

export interface Language {
  /** Started in the folder of the run. */
  readonly command: readonly [string, ...string[]];
  /** Text by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The name of the code's file. */
  readonly file: string;
  /** Before the code in that file, in its first line; default nothing. */
  readonly head?: string;
  /** After the code; default nothing. */
  readonly tail?: string;
}

const pythonStart = `import os
import lumenflow

lumenflow._main(os.path.join(os.path.dirname(os.path.abspath(__file__)), "code.py"))
`;

const javascript: Language = {
  command: [process.execPath, 'client.cjs'],
  files: {'client.cjs': javascriptClient},
  file: 'code.js',
  head: 'module.exports = async () => {',
  tail: '\n};\n',
};

export const languages: Readonly<Record<CodeLanguage, Language>> = {
  javascript,
  typescript: javascript,
  python: {
    command: ['python3', 'start.py'],
    files: {'start.py': pythonStart, 'lumenflow.py': pythonClient},
    file: 'code.py',
  },
  shell: {command: ['sh', 'client.sh', './code.sh'], files: {'client.sh': shellClient}, file: 'code.sh'},
};

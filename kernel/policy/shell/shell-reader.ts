// Reads a command line character by character. A backslash before a newline continues the line; the shell removes both before it looks at
// words.

export interface ShellReader {
  /** The next character; empty at the end. */
  peek(): string;
  next(): string;
  /** The next character as it is written, as inside single quotes and after a backslash that quotes it. */
  nextRaw(): string;
  peekRaw(): string;
  /** Reads characters that mean themselves wherever they are in a word; empty if another one comes next. */
  readPlain(): string;
  /** Reads the text if it comes next. */
  skip(text: string): boolean;
}

const isPlain: readonly boolean[] = Array.from({length: 128}, (_, code) =>
  /[\w./:,@%+=-]/u.test(String.fromCharCode(code)),
);
const backslash = 92;
const newline = 10;

export function createShellReader(text: string): ShellReader {
  let at = 0;
  const peek = (): string => {
    while (text.charCodeAt(at) === backslash && text.charCodeAt(at + 1) === newline) at += 2;
    return text.charAt(at);
  };
  const next = (): string => {
    const char = peek();
    at += 1;
    return char;
  };
  return {
    peek,
    next,
    nextRaw() {
      at += 1;
      return text.charAt(at - 1);
    },
    peekRaw: () => text.charAt(at),
    readPlain() {
      const start = at;
      // At the beginning of a word, some shells expand it.
      if (text.charAt(at) === '=') return '';
      while (isPlain[text.charCodeAt(at)] === true) at += 1;
      return text.slice(start, at);
    },
    skip(expected) {
      const start = at;
      for (const char of expected) {
        if (next() === char) continue;
        at = start;
        return false;
      }
      return true;
    },
  };
}

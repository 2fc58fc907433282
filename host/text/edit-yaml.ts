// Changes a YAML file of a person. Comments and all other text stay as they are.
import {isDeepStrictEqual} from 'node:util';
import {parse, parseDocument, type Document} from 'yaml';

const byteOrderMark = '\u{FEFF}';

/** The text must be valid YAML. */
export function editYaml(text: string, edit: (document: Document) => void): string {
  const {content, comments} = withoutLastComments(text);
  const document = parseDocument(content);
  edit(document);
  const flowCollectionPadding = /[{[] +[^\s}\]]/u.test(text);
  const written = document.toString({lineWidth: 0, flowCollectionPadding});
  const ended = text.includes('\r\n') ? written.replaceAll(/\r?\n/gu, '\r\n') : written;
  // The parser drops a byte order mark.
  return (text.startsWith(byteOrderMark) && !ended.startsWith(byteOrderMark) ? byteOrderMark : '') + ended + comments;
}

/** The parser would indent the comments at the end of a file like its last value. */
function withoutLastComments(text: string): {readonly content: string; readonly comments: string} {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => !/^[ \t]*(?:#.*)?\r?$/u.test(line));
  const comments = lines.slice(last + 1).join('\n');
  const content = text.slice(0, text.length - comments.length);
  // Lines of a text can look like comments.
  const isWhole = content.trim() !== '' && isDeepStrictEqual(parse(content), parse(text));
  return isWhole ? {content, comments} : {content: text, comments: ''};
}

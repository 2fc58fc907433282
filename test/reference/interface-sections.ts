// A page of reference from the doc comments of exported interfaces: what an author reads in the editor, as a page.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseSync} from 'oxc-parser';
import {root} from '../tidy/repository.ts';

interface Member {
  readonly start: number;
  readonly end: number;
}

/** Markdown of the named interfaces of one file of sources, each with a table of its members. */
export function writeInterfaceSections(path: string, names: readonly string[]): string {
  const source = readFileSync(join(root, path), 'utf8');
  const {program, comments} = parseSync(path, source);
  const declared = program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
    return declaration?.type === 'TSInterfaceDeclaration' ? [{statement, declaration}] : [];
  });

  /** The doc comment that ends right before `start`. */
  function docOf(start: number): string {
    const doc = comments.findLast((comment) => comment.end <= start);
    if (doc === undefined || !doc.value.startsWith('*') || source.slice(doc.end, start).trim() !== '') return '';
    const lines = doc.value.split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trim());
    return lines.join(' ').trim();
  }

  function row({start, end}: Member): string {
    const signature = source
      .slice(start, end)
      .replace(/^readonly /, '')
      .replace(/;$/, '')
      .replaceAll(/\s+/g, ' ');
    return `| \`${signature.replaceAll('|', '\\|')}\` | ${docOf(start).replaceAll('|', '\\|')} |`;
  }

  return names
    .map((name) => {
      const found = declared.find(({declaration}) => declaration.id.name === name);
      if (found === undefined) throw new Error(`${path} exports no interface \`${name}\``);
      const doc = docOf(found.statement.start);
      const members = found.declaration.body.body.map(row).join('\n');
      return `## ${name}\n\n${doc === '' ? '' : `${doc}\n\n`}| member | says |\n|---|---|\n${members}\n`;
    })
    .join('\n');
}

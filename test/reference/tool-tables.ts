// The tables of a pack's tools, from its manifest: a section for each of its files, a row for each tool.
import {dirname, join} from 'node:path';
import {readFileSync} from 'node:fs';
import type {Scope, ToolDeclaration} from '@lumenflow/schemas';
import {parse} from 'yaml';
import {root} from '../tidy/repository.ts';

/** `manifestPath` is relative to the repository. */
export function writeToolTables(manifestPath: string): string {
  const manifest = join(root, manifestPath);
  const {tools = [], tool_files: files = []} = read(manifest);
  const sections = files.map((file) => ({
    title: file.replace(/^.*\/|\.ya?ml$/gu, ''),
    tools: read(join(dirname(manifest), file)).tools ?? [],
  }));
  if (tools.length > 0) sections.unshift({title: 'Tools', tools});
  return sections.map(({title, tools: rows}) => `## ${title}\n\n${writeTable(rows)}`).join('\n\n');
}

interface ToolFile {
  readonly tools?: readonly ToolDeclaration[];
  readonly tool_files?: readonly string[];
}

function read(path: string): ToolFile {
  return parse(readFileSync(path, 'utf8'), {maxAliasCount: -1}) as ToolFile;
}

function writeTable(tools: readonly ToolDeclaration[]): string {
  const rows = tools.map(
    ({name, permission, description, handler, required_scopes: scopes, internal_only: internal}) => {
      const may = internal === true ? `${permission}, for other tools only` : permission;
      const where = handler === 'in_process' ? 'pool' : 'sandbox';
      return `| \`${name}\` | ${may} | ${where} | ${writeScopes(scopes ?? [])} | ${cell(description)} |`;
    },
  );
  return ['| tool | permission | runs in | at most touches | what it does |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

function writeScopes(scopes: readonly Scope[]): string {
  const words = scopes.map((scope) =>
    scope.type === 'path' ? `${scope.access} \`${cell(scope.pattern)}\`` : `network: ${scope.posture}`,
  );
  return words.length === 0 ? 'nothing' : words.join(', ');
}

function cell(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

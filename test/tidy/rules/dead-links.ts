// Links and file names in the docs that lead nowhere. Links to other sites are not tried: the tests run offline.
import {posix} from 'node:path';
import GithubSlugger from 'github-slugger';
import type {Root} from 'mdast';
import {fromMarkdown} from 'mdast-util-from-markdown';
import {toString} from 'mdast-util-to-string';
import {visit} from 'unist-util-visit';
import type {Finding, SourceFile} from './source-file.ts';

/** The anchors GitHub gives a page: one a heading, and those written as HTML. */
function anchorsOf(page: Root): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  visit(page, (node) => {
    if (node.type === 'heading') anchors.add(slugger.slug(toString(node)));
    if (node.type === 'html') {
      for (const [, name] of node.value.matchAll(/\b(?:id|name)="([^"]+)"/g)) if (name !== undefined) anchors.add(name);
    }
  });
  return anchors;
}

function linksOf(page: Root): readonly {url: string; line: number}[] {
  const links: {url: string; line: number}[] = [];
  visit(page, (node) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      links.push({url: node.url, line: node.position?.start.line ?? 1});
    }
  });
  return links;
}

function isElsewhere(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith('//');
}

/** Dead relative links and anchors in the pages. `paths` are all files and folders of the repository. */
export function findDeadLinks(pages: readonly SourceFile[], paths: ReadonlySet<string>): readonly Finding[] {
  const parsed = new Map(pages.map(({path, text}) => [path, fromMarkdown(text)]));
  return [...parsed].flatMap(([path, page]) =>
    linksOf(page).flatMap(({url, line}): readonly Finding[] => {
      if (isElsewhere(url)) return [];
      const [file = '', anchor] = url.split('#').map((part) => decodeURIComponent(part));
      const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '');
      if (target !== '.' && !paths.has(target)) return [{path, line, message: `dead link: ${target} does not exist`}];
      const targetPage = parsed.get(target);
      return anchor !== undefined && targetPage && !anchorsOf(targetPage).has(anchor)
        ? [{path, line, message: `dead link: ${target} has no heading \`#${anchor}\``}]
        : [];
    }),
  );
}

/** A path of this repository in backticks: `kernel/calls/call-tool.ts`, `sandbox/`. Names with a placeholder do not count. */
const pathInCode = /^(?:[\w@.-]+\/)+(?:[\w-][\w.-]*\.(?:ts|mts|js|mjs|json|yaml|md))?$/;

/** Files and folders that a page names in backticks and that do not exist. Built files (dist/) are not looked for. */
export function findDeadPaths(pages: readonly SourceFile[], paths: ReadonlySet<string>): readonly Finding[] {
  return pages.flatMap(({path, text}) => {
    const findings: Finding[] = [];
    visit(fromMarkdown(text), 'inlineCode', (node) => {
      const named = node.value.replace(/\/$/, '');
      const isBuilt = named.split('/').some((segment) => ['dist', 'node_modules', '.lumenflow'].includes(segment));
      if (!pathInCode.test(node.value) || isBuilt || paths.has(named)) return;
      findings.push({path, line: node.position?.start.line ?? 1, message: `\`${node.value}\` does not exist`});
    });
    return findings;
  });
}

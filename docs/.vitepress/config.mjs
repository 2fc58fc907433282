// The site of `npm run site`. Its home page is docs/index.md. Its sidebar is the table of contents in docs/README.md, so a page is listed in one place.
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

const docs = join(import.meta.dirname, '..');
const contents = readFileSync(join(docs, 'README.md'), 'utf8');

const pageLink = /\[([^\]]+)\]\(([^)#]+\.md)\)/g;
/** The readers and the kinds of page, with the first page of each. */
const nav = [
  {text: 'Authors', link: '/first-pack'},
  {text: 'Administrators', link: '/first-workspace'},
  {text: 'Embedders', link: '/first-program'},
  {text: 'Reference', link: '/reference/commands'},
  {text: 'Explanation', link: '/decisions/'},
];

const toRoute = (path) => `/${path.replace(/README\.md$/, '').replace(/\.md$/, '')}`;

/** A section for each bold line, with the links of the list below it. */
function sidebar() {
  const parts = contents.split(/^\*\*(.+?)\*\*.*$/m).slice(1);
  const sections = [];
  for (let at = 0; at < parts.length; at += 2) {
    const items = [...parts[at + 1].matchAll(pageLink)].map(([, text, path]) => ({
      text: text.replaceAll('`', ''),
      link: toRoute(path),
      ...(path === 'decisions/README.md' && {collapsed: true, items: pagesIn('decisions')}),
    }));
    sections.push({text: parts[at], items});
  }
  return sections;
}

function pagesIn(folder) {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => {
      const title = /^# (.+)$/m.exec(readFileSync(join(docs, folder, name), 'utf8'))?.[1] ?? name;
      return {text: title, link: toRoute(`${folder}/${name}`)};
    });
}

/** Links to files of the repository that are not on the site become text. */
function withoutOuterLinks(markdown) {
  markdown.core.ruler.push('outer_links', ({env, tokens}) => {
    const folder = dirname(env.path ?? join(docs, 'README.md'));
    for (const {children} of tokens) {
      let isOuter = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isOuter = leavesSite(folder, token.attrGet('href') ?? '');
        if (isOuter && /^link_(?:open|close)$/.test(token.type))
          Object.assign(token, {type: 'text', tag: '', nesting: 0});
      }
    }
  });
}

function leavesSite(folder, href) {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return false;
  const path = relative(docs, join(folder, decodeURI(href).replace(/#.*/, '')));
  return path.startsWith('..') || path.split('/')[0] === 'api';
}

/** As GitHub does, so that a link works in both. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replaceAll(' ', '-');
}

export default {
  title: 'LumenFlow',
  description: 'A governed tool runtime for AI agents',
  srcExclude: ['api/**'],
  rewrites: {'README.md': 'contents.md', 'decisions/README.md': 'decisions/index.md'},
  cleanUrls: true,
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/site',
  markdown: {config: withoutOuterLinks, anchor: {slugify: toAnchor}},
  themeConfig: {nav, sidebar: sidebar(), search: {provider: 'local'}, outline: [2, 3]},
};

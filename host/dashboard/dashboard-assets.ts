// The dashboard's files, built beside this module: one page, one script, one style sheet. They contain no data, so they need no
// token.
import {existsSync, readFileSync} from 'node:fs';

export interface Asset {
  readonly content: string;
  readonly contentType: string;
}

/** The second path is the build output, for a module that runs from its source. */
const folders = [new URL('assets/', import.meta.url), new URL('../dist/dashboard/assets/', import.meta.url)];
const files: Readonly<Record<string, readonly [name: string, contentType: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  // The issuer returns to it.
  '/signed-in': ['index.html', 'text/html; charset=utf-8'],
  '/assets/dashboard.js': ['dashboard.js', 'text/javascript; charset=utf-8'],
  '/assets/dashboard.css': ['dashboard.css', 'text/css; charset=utf-8'],
};

/** Allows only the page's own scripts, styles and requests. Text never becomes markup. */
export const dashboardPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** By path; empty if the dashboard was not built. */
export function readDashboardAssets(): ReadonlyMap<string, Asset> {
  const folder = folders.find((candidate) => existsSync(new URL('dashboard.js', candidate)));
  if (!folder) return new Map();
  return new Map(
    Object.entries(files).map(([path, [name, contentType]]) => [
      path,
      {content: readFileSync(new URL(name, folder), 'utf8'), contentType},
    ]),
  );
}

// What a scenario's operations would meet on macOS: its profile's text, judged by the evaluator of the language.
import {join} from 'node:path';
import type {SandboxProfile} from '@lumenflow/schemas';
import {compileProfile} from '../../profile/compile-profile.ts';
import {buildSbpl} from '../../seatbelt/build-sbpl.ts';
import {globMatcher} from '../glob-matcher.fixture.ts';
import {memoryHostFiles} from '../memory-host-files.fixture.ts';
import {loadSbpl} from '../sbpl/load-sbpl.fixture.ts';
import type {Query} from '../sbpl/sbpl-filter.fixture.ts';
import {operationOf, type Operation, type SandboxScenario, type Verdict} from './sandbox-scenario.fixture.ts';
import {valueOf} from '../value-of.fixture.ts';

const home = '/Users/ada';
const temporaryFolder = '/private/var/folders/xy/T/lumenflow-call-1/tmp';
const runner = '/Users/ada/.nvm/versions/node/v24.0.0';
const brokerPort = 50_080;

/** The text for a scenario on a Mac whose Node lies outside the system's folders. */
export async function sbplOf(scenario: SandboxScenario): Promise<string> {
  const workspaceRoot = join(home, 'project');
  const tree = [`${runner}/bin/node`, `${workspaceRoot}/`, ...scenario.tree.map((line) => absolute(line))];
  const posture: SandboxProfile['network_posture'] = scenario.network ?? 'off';
  const compiled = valueOf(
    await compileProfile({
      workspaceRoot,
      grant: {
        read: [...(scenario.read ?? [])],
        write: [...(scenario.write ?? [])],
        network: {posture, allowlist_entries: posture === 'allowlist' ? ['listed.test:443'] : []},
      },
      denyOverlays: scenario.denyOverlays ?? [],
      home: scenario.homeIsWorkspace ? workspaceRoot : home,
      runtimePaths: [runner, ...(scenario.runtimePaths ?? []).map((path) => join(workspaceRoot, path))],
      limits: {},
      env: {},
      compilePattern: globMatcher,
      files: memoryHostFiles(tree),
    }),
  );
  const text = valueOf(buildSbpl({compiled, temporaryFolder, ...(posture === 'allowlist' && {brokerPort})}));
  return text;
}

export async function judgeOnMacos(scenario: SandboxScenario): Promise<Readonly<Record<string, Verdict>>> {
  const decide = loadSbpl(await sbplOf(scenario));
  const {realPath} = memoryHostFiles(scenario.tree.map((line) => absolute(line)));
  const judged = Object.keys(scenario.operations).map((text) => {
    const queries = queriesFor(operationOf(text), (path) => realPath(path) ?? path);
    return [text, queries.every((query) => decide(query) === 'allow') ? 'allow' : 'deny'] as const;
  });
  return Object.fromEntries(judged);
}

function absolute(path: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  if (path.startsWith('$TMPDIR/')) return path.replace('$TMPDIR', temporaryFolder);
  // The kernel's own path for a symlink at the root.
  if (path.startsWith('/')) return path.replace(/^\/(?=etc\/)/, '/private/');
  return path === '.' ? join(home, 'project') : `${home}/project/${path}`;
}

/** All that the kernel asks of the sandbox for one operation. */
function queriesFor({verb, path}: Operation, resolved: (path: string) => string): readonly Query[] {
  const here = absolute(path);
  switch (verb) {
    case 'read':
    case 'list':
      return [{operation: 'file-read-data', path: resolved(here)}];
    case 'write':
      return [{operation: 'file-write-data', path: resolved(here)}];
    case 'create':
      return [{operation: 'file-write-create', path: here}];
    case 'delete':
      return [{operation: 'file-write-unlink', path: here}];
    case 'rename':
      return [
        {operation: 'file-write-unlink', path: here},
        {operation: 'file-write-create', path: `${here}.moved`},
      ];
    case 'link':
      return [
        {operation: 'file-link', path: here},
        {operation: 'file-write-create', path: `${here}.linked`},
      ];
    case 'connect':
      return [{operation: 'network-outbound', remote: remoteOf(path)}];
    case 'listen':
      return [{operation: 'network-bind'}];
    default:
      throw new Error(`unknown operation \`${verb}\``);
  }
}

function remoteOf(place: string): NonNullable<Query['remote']> {
  const tcp = {protocol: 'tcp'} as const;
  if (place === 'broker') return {...tcp, host: '127.0.0.1', port: brokerPort};
  return place === 'loopback' ? {...tcp, host: '127.0.0.1', port: 8080} : {...tcp, host: '203.0.113.7', port: 443};
}

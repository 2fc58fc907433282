// The page that shows what each scenario's operations meet on each platform.
import type {SandboxScenario, Verdict} from './sandbox-scenario.fixture.ts';

export interface JudgedScenario {
  readonly scenario: SandboxScenario;
  readonly linux: Readonly<Record<string, Verdict>>;
  readonly macos: Readonly<Record<string, Verdict>>;
}

const introduction = `# The sandbox on Linux and on macOS

The same grants over the same files, and what a call may then do. The Linux column was tried in a real bubblewrap sandbox.
The macOS column was judged by an evaluator of Apple's sandbox profile language, from the text that sandbox-exec would
get: no Mac ran it. Where the two differ, the last column says why.

This page is written by a test: \`npx vitest run sandbox/seatbelt -u\`.
`;

export function renderParity(judged: readonly JudgedScenario[]): string {
  return [introduction, ...judged.map(section)].join('\n');
}

function section({scenario, linux, macos}: JudgedScenario): string {
  const rows = Object.entries(scenario.operations).map(([text, expected]) => {
    const why = typeof expected === 'string' ? '' : expected.why;
    if (linux[text] !== macos[text] && why === '') throw new Error(`\`${text}\` of \`${scenario.name}\` differs`);
    return `| ${code(text)} | ${linux[text]} | ${macos[text]} | ${why} |`;
  });
  const title = `## ${scenario.name.slice(0, 1).toUpperCase()}${scenario.name.slice(1)}`;
  const head = ['| operation | Linux | macOS | differs because |', '|---|---|---|---|'];
  return [title, '', granted(scenario), '', ...head, ...rows, ''].join('\n');
}

function granted({read = [], write = [], network = 'off', denyOverlays = []}: SandboxScenario): string {
  const parts = [
    ['Read', read],
    ['write', write],
    ['network', [network]],
    ['deny overlays', denyOverlays],
  ] as const;
  return `${parts.map(([name, values]) => `${name}: ${values.map(code).join(', ') || 'nothing'}`).join('; ')}.`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

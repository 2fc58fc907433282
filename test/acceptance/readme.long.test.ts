// What README shows is run: the embedding, the pack, the commands.
import {execFile} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';

const repository = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const cli = join(repository, 'host/dist/main.js');
// Inside the repository, so that its packages are found as an application finds them.
const scratch = join(repository, 'node_modules', '.cache');
let application: string;
let workspace: string;

function block(info: string): string {
  const found = readme.match(new RegExp(`\`\`\`${info}\n([^]*?)\`\`\``))?.[1];
  if (found === undefined) throw new Error(`README has no block \`${info}\``);
  return found;
}

const print = async (program: string, args: readonly string[], cwd: string) =>
  await promisify(execFile)(program, [...args], {cwd});

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return (await print(program, args, cwd)).stdout;
}

function withoutComments(yaml: string): string {
  return yaml.replaceAll(/^#.*\n/gm, '');
}

beforeAll(async () => {
  mkdirSync(scratch, {recursive: true});
  application = await mkdtemp(join(scratch, 'readme-'));
  workspace = await mkdtemp(join(tmpdir(), 'readme-'));
  writeFileSync(join(workspace, 'README.md'), 'Read by an embedded host\n');
  await run(process.execPath, [cli, 'init', workspace], workspace);
});
afterAll(async () => {
  await rm(application, {recursive: true, force: true});
  await rm(workspace, {recursive: true, force: true});
});

describe('README', () => {
  it('embeds a host in ten lines that run, and the script ends by itself', async () => {
    const script = join(application, 'embed.mjs');
    writeFileSync(script, block('ts embed'));
    expect(await run(process.execPath, [script], workspace)).toContain('Read by an embedded host');
  });

  it('shows the pack in examples/hello-pack', () => {
    const pack = join(repository, 'examples/hello-pack');
    expect(block('yaml manifest')).toBe(withoutComments(readFileSync(join(pack, 'manifest.yaml'), 'utf8')));
    expect(block('ts handler')).toBe(readFileSync(join(pack, 'tools/greet.ts'), 'utf8'));
  });

  it('shows a call of that pack that works', async () => {
    const pack = join(repository, 'examples/hello-pack');
    const hello = await mkdtemp(join(tmpdir(), 'hello-'));
    try {
      const pin = `{id: hello, version: 0.1.0, integrity: dev, source: local, path: ${pack}}`;
      const lane = '{id: main, allowed_scopes: []}';
      const policies = 'policies: {default_decision: allow}';
      const text = `id: hello\npacks: [${pin}]\nlanes: [${lane}]\nsecurity: {allowed_scopes: []}\n${policies}\n`;
      writeFileSync(join(hello, 'workspace.yaml'), text);
      const command = /`lumenflow (tools call hello:greet [^`]*)`/.exec(readme)?.[1]?.split(' ') ?? [];
      const answer = JSON.parse(await run(process.execPath, [cli, ...command, '--json'], hello)) as {output?: unknown};
      expect(JSON.stringify(answer)).toContain('Hello Ada, in lane main');
    } finally {
      await rm(hello, {recursive: true, force: true});
    }
  });

  it('shows commands that do what they say', async () => {
    const commands = [
      ...block('sh').matchAll(/^lumenflow (.*?) {2,}#/gm),
      ...readme.matchAll(/^lumenflow (.*?) {2,}#/gm),
    ]
      .map((match) => match[1] ?? '')
      // The workspace is made already; an agent needs a model, and docs/agents.md's own test runs one.
      .filter((command) => command !== 'init' && !command.startsWith('agent '));
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) {
      const {stdout, stderr} = await print(process.execPath, [cli, ...command.split(' ')], workspace);
      // Where there is nothing to list, a note says so.
      expect(stdout + stderr, command).not.toBe('');
    }
  });
});

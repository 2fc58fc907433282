// A whole delivery on this project's own repository: an initiative is planned and assigned, and two agents work at once in separate
// processes. One of them is killed, and another one takes over from worktree and memory.
import type {Session} from '@lumenflow/host';
import {cpSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeDeliveryStage, repository, type DeliveryStage} from '../../support/delivery-stage.ts';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

/** What the gates of this repository run, from its own packages. */
const tools = [
  'oxfmt',
  '@oxfmt',
  'tinypool',
  'oxlint',
  '@oxlint',
  'typescript',
  '@typescript',
  'tsx',
  'esbuild',
  '@esbuild',
  'get-tsconfig',
  'resolve-pkg-maps',
];
const bin = (path: string): string => `node node_modules/${path}`;
const compiler = '--noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions --types ""';
const gates = {
  format: `${bin('oxfmt/bin/oxfmt')} --check kernel/greetings`,
  lint: `${bin('oxlint/bin/oxlint')} kernel/greetings`,
  typecheck: `${bin('typescript/bin/tsc')} ${compiler} --ignoreConfig kernel/greetings/*.ts`,
  test: 'for f in kernel/greetings/*.ts; do node --import tsx "$f" || exit 1; done',
};

const words = (key: string, more: object): object => ({
  key,
  title: `The greeting ${key}`,
  lane: 'docs',
  type: 'feature',
  priority: 'P2',
  description: 'The kernel greets whoever starts it, in a file of its own that checks itself when it is run.',
  acceptance: ['the file says so when it is run'],
  code_paths: [`kernel/greetings/${key}.ts`],
  ...more,
});
const greeting = (name: string, text: string): string =>
  `// Says what stands in it.\nexport const ${name}: string = '${text}';\n\nif (${name}.length < 3) throw new Error('too short');\n`;

let stage: DeliveryStage;
let lead: Session;
const agents: HostProcess[] = [];

async function startAgent(by: string): Promise<HostProcess> {
  const agent = await startHostProcess(stage.workspace.root, {hoursBehind: 100});
  agents.push(agent);
  await agent.ask('open', {by, lane: 'docs'});
  await mustCall(agent, 'agent:session', {agent: by});
  return agent;
}

async function mustCall(agent: HostProcess, tool: string, input: unknown = {}): Promise<Record<string, unknown>> {
  const output = await agent.call(tool, input);
  if (!output.success) throw new Error(`\`${tool}\` failed: ${JSON.stringify(output.error)}`);
  return output.data as Record<string, unknown>;
}

async function claim(agent: HostProcess, id: string): Promise<number> {
  return ((await mustCall(agent, 'wu:claim', {id}))['lease'] as {token: number}).token;
}

async function write(agent: HostProcess, path: string, content: string, message: string): Promise<void> {
  await mustCall(agent, 'file:write', {path, content});
  await mustCall(agent, 'git:add', {all: true});
  await mustCall(agent, 'git:commit', {message});
}

// A copy without its history, as some are tested, cannot be cloned.
describe.skipIf(!existsSync(join(repository, '.git')))('a delivery by two agents', {timeout: 300_000}, () => {
  beforeAll(async () => {
    stage = await makeDeliveryStage({gates: {commands: gates}}, {clone: true});
    for (const name of tools) {
      const from = join(repository, 'node_modules', name);
      cpSync(from, join(stage.workspace.root, 'node_modules', name), {recursive: true});
    }
    stage.workspace.write({'README.md': 'a person is writing here\n'});
    lead = opened(await stage.host.openSession({by: 'lead', lane: 'docs'}));
  }, 300_000);
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.kill()));
    await stage.workspace.remove();
  });

  let bob: HostProcess;
  let fence: number;

  test('is planned and handed out in waves', async () => {
    await must(lead, 'initiative:create', {title: 'Greetings', phases: ['Words', 'Sentence']});
    await must(lead, 'initiative:plan', {
      id: 'INIT-1',
      wus: [
        words('hello', {phase: 1}),
        words('world', {phase: 1}),
        words('sentence', {phase: 2, depends_on: ['hello', 'world'], code_paths: ['kernel/greetings/sentence.ts']}),
      ],
    });
    const out = await must(lead, 'orchestrate:initiative', {id: 'INIT-1', to: 'agents'});
    expect(out['handed_out']).toMatchObject([{wu: 'WU-1'}, {wu: 'WU-2'}]);
  });

  test('continues in two worktrees in parallel, until one agent is killed', async () => {
    const [ann, second] = await Promise.all([startAgent('ann'), startAgent('bob')]);
    bob = second;
    const [first, lease] = await Promise.all([claim(ann, 'WU-1'), claim(bob, 'WU-2')]);
    fence = first;
    expect(String((await mustCall(ann, 'wu:brief', {id: 'WU-1'}))['prompt'])).toContain('The greeting hello');
    await mustCall(ann, 'file:write', {path: 'kernel/greetings/hello.ts', content: greeting('hello', 'h')});
    await mustCall(ann, 'mem:checkpoint', {
      content: 'hello.ts is begun, its word is too short',
      next_steps: ['Mend it'],
    });
    await mustCall(ann, 'mem:signal', {message: 'greetings end without a full stop', to: 'bob'});
    const cut = ann.call('gates').catch((error: unknown) => String(error));
    await ann.kill();
    expect(await cut).toEqual(expect.stringContaining('the process ended'));

    expect(await mustCall(bob, 'mem:inbox')).toMatchObject({signals: [{message: 'greetings end without a full stop'}]});
    await mustCall(bob, 'mem:ack');
    await write(bob, 'kernel/greetings/world.ts', greeting('world', 'wo'), 'A world');
    const asked = {id: 'WU-2', lease_token: lease};
    const failed = await mustCall(bob, 'wu:prep', asked);
    expect(failed).toMatchObject({ready: false, gates: {passed: false}});
    const byName = (failed['gates'] as {gates: {name: string; passed: boolean}[]}).gates;
    expect(byName.filter(({passed}) => !passed).map(({name}) => name)).toEqual(['test']);
    expect((await bob.call('wu:done', asked)).success).toBe(false);
    await write(bob, 'kernel/greetings/world.ts', greeting('world', 'world'), 'A longer world');
    expect(await mustCall(bob, 'wu:prep', asked)).toMatchObject({ready: true, gates: {passed: true}});
    await mustCall(bob, 'wu:done', asked);
    expect(stage.git('show', 'main:kernel/greetings/world.ts')).toContain("'world'");
  });

  test('is taken over from where the killed one was', async () => {
    stage.letHoursPass(3);
    const {stuck} = await must(lead, 'orchestrate:monitor');
    expect(stuck).toContainEqual(expect.objectContaining({wu: 'WU-1', reason: 'lease_expired'}));
    const cleo = await startAgent('cleo');
    const lease = await claim(cleo, 'WU-1');
    expect(lease).toBeGreaterThan(fence);
    const recovered = String((await mustCall(cleo, 'mem:recover'))['markdown']);
    expect(recovered).toContain('its word is too short');
    expect(recovered).toContain('Mend it');
    expect(recovered).toContain('kernel/greetings/hello.ts');
    expect(await mustCall(cleo, 'file:read', {path: 'kernel/greetings/hello.ts'})).toMatchObject({
      content: greeting('hello', 'h'),
    });
    await write(cleo, 'kernel/greetings/hello.ts', greeting('hello', 'hello'), 'Hello');
    const asked = {id: 'WU-1', lease_token: lease};
    expect(await mustCall(cleo, 'wu:prep', asked)).toMatchObject({ready: true});
    await mustCall(cleo, 'wu:done', asked);
    expect(stage.git('log', '--format=%s', '-4', 'main').split('\n')).toContain('A longer world');
  });

  test('ends with what waited for both, and the record of it all', async () => {
    const lease = await claim(bob, 'WU-3');
    const sentence = `// Both words.\nimport {hello} from './hello.ts';\nimport {world} from './world.ts';\n\nif (\`\${hello} \${world}\` !== 'hello world') throw new Error('odd words');\n`;
    await write(bob, 'kernel/greetings/sentence.ts', sentence, 'A sentence');
    const asked = {id: 'WU-3', lease_token: lease};
    expect(await mustCall(bob, 'wu:prep', asked)).toMatchObject({ready: true});
    await mustCall(bob, 'wu:done', asked);
    expect(await must(lead, 'initiative:status', {id: 'INIT-1'})).toMatchObject({
      progress: {percent: 100, counts: {done: 3}},
    });
    expect(await must(lead, 'flow:report')).toMatchObject({throughput: {done: 3}});
    // The person's own checkout is as it was.
    expect(readFileSync(join(stage.workspace.root, 'README.md'), 'utf8')).toBe('a person is writing here\n');
    expect(existsSync(join(stage.workspace.root, 'kernel/greetings'))).toBe(false);
    await stage.host.runtime.evidence.checkpoint();
    expect(await stage.host.runtime.evidence.verify()).toMatchObject({status: 'verified', findings: []});
  });
});

// The files in deploy/ and what a running server reports, checked by the programs that read them: promtool and systemd-analyze.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {firstDocument} from '../support/first-document.ts';
import {assertBuilt, ended, makeFolder, runProgram, startProgram} from '../support/lumenflow-program.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const has = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;

function run(
  program: string,
  args: readonly string[],
  input = '',
): {readonly status: number | null; readonly output: string} {
  const {status, stdout, stderr} = spawnSync(program, [...args], {input, encoding: 'utf8'});
  return {status, output: `${stdout}${stderr}`};
}

/** Names of metrics in an expression; a histogram has three series. */
function metricsIn(text: string): readonly string[] {
  const names = text.match(/\b(?:lumenflow|process)_[a-z_]+\b(?!["])/gu) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/u, ''));
}

const folder = makeFolder();
let metrics = '';

describe('metrics of a server with a receiver', () => {
  beforeAll(async () => {
    assertBuilt();
    const {path: cwd} = folder;
    expect((await runProgram(['init', '--id', 'demo'], {cwd})).code).toBe(0);
    expect((await runProgram(['tools', 'call', 'file:list'], {cwd})).code).toBe(0);
    const child = startProgram(['serve', '--port', '0', '--json', '--syslog', 'udp://127.0.0.1:9'], {cwd});
    const done = ended(child);
    const {url, token} = await firstDocument(child);
    const response = await fetch(`${String(url)}/metrics`, {headers: {authorization: `Bearer ${String(token)}`}});
    metrics = await response.text();
    child.kill('SIGTERM');
    await done;
  }, 120_000);
  afterAll(() => folder.remove());

  test.skipIf(!has('promtool'))('promtool finds nothing wrong', () => {
    expect(run('promtool', ['check', 'metrics'], metrics)).toEqual({status: 0, output: ''});
  });

  test.each(['grafana-dashboard.json', 'prometheus-alerts.yaml'])('%s names only metrics that exist', (name) => {
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gmu)].map(([, metric]) => metric));
    const named = new Set(metricsIn(readFileSync(join(deploy, name), 'utf8')));
    expect(named.size).toBeGreaterThan(4);
    expect([...named].filter((metric) => !known.has(metric))).toEqual([]);
  });

  test.skipIf(!has('promtool'))('each query of the dashboard is one that Prometheus can parse', () => {
    const {panels} = JSON.parse(readFileSync(join(deploy, 'grafana-dashboard.json'), 'utf8')) as {
      panels: {targets: {expr: string}[]}[];
    };
    const queries = panels.flatMap(({targets}) => targets.map(({expr}) => expr));
    const rules = queries.map((expr, index) => ({
      record: `query:number_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'lumenflow'),
    }));
    const file = join(folder.path, 'rules.yaml');
    // YAML contains JSON.
    writeFileSync(file, JSON.stringify({groups: [{name: 'dashboard', rules}]}));
    expect(run('promtool', ['check', 'rules', file])).toMatchObject({
      status: 0,
      output: expect.stringContaining(`${queries.length} rules found`),
    });
  });
});

test.skipIf(!has('promtool'))('the alerts are valid, and their page says what to do about each', () => {
  const path = join(deploy, 'prometheus-alerts.yaml');
  expect(run('promtool', ['check', 'rules', path])).toMatchObject({status: 0});
  const page = readFileSync(join(deploy, '../docs/operations.md'), 'utf8');
  for (const [, alert = ''] of readFileSync(path, 'utf8').matchAll(/alert: (\S+)/gu))
    expect(page).toContain(`\`${alert}\``);
});

test.skipIf(!has('systemd-analyze')).each(['lumenflow.service', 'lumenflow-worker.service'])(
  'the unit %s is valid, and exposes little',
  (name) => {
    const path = join(deploy, 'systemd', name);
    expect(run('systemd-analyze', ['verify', path])).toEqual({status: 0, output: ''});
    const {output} = run('systemd-analyze', ['security', '--offline=true', path]);
    const [, score] = /Overall exposure level for \S+: ([\d.]+)/u.exec(output) ?? [];
    // What remains is what bubblewrap needs: user namespaces, mounts, /proc, control groups.
    expect(Number(score)).toBeLessThanOrEqual(4);
  },
);

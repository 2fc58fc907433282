// `npm run bench`: measures what governing costs, each figure against a baseline of the same run.
// A round trip between threads depends on where they run. `taskset -c 0 npm run bench -- kernel` puts all on one CPU:
// figures are steadiest there, and governing looks dearest, since a bare round trip wakes no second CPU.
import {availableParallelism, cpus, release, totalmem} from 'node:os';
import {agentFigures} from './agent-figures.ts';
import {dashboardFigures} from './dashboard-figures.ts';
import {deliveryFigures} from './delivery-figures.ts';
import {backendFigures} from './backend-figures.ts';
import {createEffort, type Effort} from './effort.ts';
import {effectFigures} from './effect-figures.ts';
import {enduranceFigures} from './endurance-figures.ts';
import {evidenceFigures} from './evidence-figures.ts';
import {holds, type Figure} from './figure.ts';
import {hostsFigures} from './hosts-figures.ts';
import {execFigures} from './exec-figures.ts';
import {figureTable} from './figure-table.ts';
import {kernelFigures} from './kernel-figures.ts';
import {longLogFigures} from './long-log-figures.ts';
import {mcpFigures} from './mcp-figures.ts';
import {remoteFigures} from './remote-figures.ts';
import {scalingFigures} from './scaling-figures.ts';
import {sandboxFigures} from './sandbox-figures.ts';
import {tokenFigures} from './token-figures.ts';
import {startFigures} from './start-figures.ts';
import {upstreamFigures} from './upstream-figures.ts';
import {commandOptions} from '../support/command-options.ts';

const groups: Readonly<Record<string, (effort: Effort) => AsyncGenerator<Figure>>> = {
  kernel: kernelFigures,
  endurance: enduranceFigures,
  scaling: scalingFigures,
  sandbox: sandboxFigures,
  backends: backendFigures,
  remote: remoteFigures,
  hosts: hostsFigures,
  evidence: evidenceFigures,
  'long-log': longLogFigures,
  start: startFigures,
  dashboard: dashboardFigures,
  agent: agentFigures,
  exec: execFigures,
  mcp: mcpFigures,
  upstream: upstreamFigures,
  tokens: tokenFigures,
  delivery: deliveryFigures,
  effects: effectFigures,
};

/** Measured only when they are named: they need the npm registry, minutes, or PostgreSQL. */
const named: readonly string[] = ['upstream', 'remote', 'hosts'];

const flag = {type: 'boolean', default: false} as const;
const usage = `npm run bench -- [group …]   measures; without any, all groups but ${named.join(', ')}: ${Object.keys(groups).join(', ')}
  --json    figures for programs
  --check   exit code 1 when a figure misses its bar
  --quick   fewer runs, and none of those that take minutes
`;
const {values, positionals} = commandOptions(usage, {
  options: {json: flag, check: flag, quick: flag},
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in groups));
if (unknown.length > 0) {
  process.stderr.write(
    `there is no group \`${unknown.join('`, `')}\`: name some of ${Object.keys(groups).join(', ')}\n`,
  );
  process.exit(2);
}

const machine = {
  node: process.version,
  system: `${process.platform} ${process.arch} ${release()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  /** Those that this process may use. */
  cores: availableParallelism(),
  memory_gib: Math.round(totalmem() / 2 ** 30),
};
const started = performance.now();
const figures: Figure[] = [];
const effort = createEffort(values.quick, (progress) => process.stderr.write(`${progress}\n`));
for (const [name, measure] of Object.entries(groups)) {
  const isMeasured = positionals.length > 0 ? positionals.includes(name) : !named.includes(name);
  if (!isMeasured) continue;
  for await (const figure of measure(effort)) {
    figures.push(figure);
    effort.report(`measured ${figure.title}`);
  }
}
const seconds = Math.round((performance.now() - started) / 100) / 10;
const missed = figures.filter((figure) => holds(figure, 'bar') === false);

if (values.json) {
  const judged = figures.map((figure) => ({
    ...figure,
    bar_holds: holds(figure, 'bar'),
    goal_reached: holds(figure, 'goal'),
  }));
  process.stdout.write(`${JSON.stringify({machine, seconds, figures: judged}, undefined, 2)}\n`);
} else {
  const {node, system, cpu, cores, memory_gib} = machine;
  process.stdout.write(`\n${figureTable(figures)}\n\n`);
  process.stdout.write(`Node ${node}, ${system}, ${cores} × ${cpu}, ${memory_gib} GiB; ${seconds} s\n`);
  process.stdout.write(
    'Medians over several runs, each in turn with its baseline; figures without a bar only inform.\n',
  );
}
if (missed.length > 0) {
  process.stderr.write(`missed: ${missed.map(({title}) => title).join('; ')}\n`);
  if (values.check) process.exitCode = 1;
}

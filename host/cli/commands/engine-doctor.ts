// `lumenflow engine doctor`: what advances durable runs, how far it has been tested, whether its server replies, and which runs are parked.
import {engineReadiness, type EngineReadiness} from '../../engine/engine-readiness.ts';
import {findParkedRuns, type ParkedRuns} from '../parked-runs/find-parked-runs.ts';
import {openEngine} from '../../engine/open-engine.ts';
import type {Command, CliContext} from '../command.ts';
import type {Host} from '../../compose.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import type {Style} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

const words = {
  tested: 'tested with a real server',
  'contract-tested': 'contract-tested: with the real client and worker, and a stand-in for the server',
} as const;

export const engineDoctor: Command = async (context) => {
  const data = await withHost(context, async (host) => await diagnose(host, context));
  const {kind, readiness, server} = data;
  const isEmbedded = kind === 'embedded';
  return {
    data: {engine: data},
    ...(data.problem !== null && {exitCode: exitCode.failed}),
    note: () => (data.parked === null ? '' : context.errorStyle.dim(noteOf(data.parked))),
    text: () =>
      [
        renderFields(
          [
            ['engine', kind],
            ['readiness', isEmbedded ? 'tested' : words[readiness]],
            ['server', isEmbedded ? 'none: the process that starts a run advances it' : (server ?? '')],
            ['problem', data.problem === null ? undefined : cleanText(data.problem)],
            ['parked', parkedText(data, isEmbedded)],
          ],
          context.style,
        ),
        ...(data.parked === null || data.parked.runs.length === 0 ? [] : ['', tableOf(data.parked, context.style)]),
      ].join('\n'),
  };
};

function parkedText({parked}: Diagnosis, isEmbedded: boolean): string | undefined {
  if (isEmbedded) return 'known to the process that advances the run, which reports it';
  return parked === null ? undefined : String(parked.runs.length);
}

function tableOf({runs}: ParkedRuns, style: Style): string {
  const now = Date.now();
  return renderTable(
    runs,
    [
      {
        title: 'SINCE',
        cell: ({since}) => (since === null ? '' : renderTime(since, now)),
        paint: () => style.dim,
      },
      {title: 'RUN', cell: ({id}) => id, paint: () => style.bold},
      {title: 'KIND', cell: ({kind}) => kind},
      {title: 'TASK', cell: ({title}) => title, shrinksTo: 10},
      {title: 'REASON', cell: ({reason}) => reason, shrinksTo: 20},
    ],
    style,
  );
}

function noteOf({runs, asked, open}: ParkedRuns): string {
  const bound = asked < open ? [`the server was asked about the newest ${asked} of ${open} runs`] : [];
  const kinds = [...new Set(runs.map(({kind}) => kind))].toSorted();
  return [...bound, ...kinds.map((kind) => `correct the cause, then: lumenflow ${kind} resume RUN`)].join('\n');
}

/** A run that no workspace has. */
const unknownRun = 'doctor';

interface Diagnosis {
  readonly kind: string;
  readonly readiness: EngineReadiness;
  readonly server: string | null;
  readonly problem: string | null;
  /** Null: the server does not reply, or no server knows them. */
  readonly parked: ParkedRuns | null;
}

async function diagnose(host: Host, {spin}: CliContext): Promise<Diagnosis> {
  const {kind = 'embedded'} = host.runtime.workspace.spec.engine ?? {};
  const readiness = engineReadiness(kind);
  const engine = await openEngine(host);
  if (engine === undefined) return {kind, readiness, server: null, problem: null, parked: null};
  try {
    const parked = await spin('asking the server', async () => {
      await engine.query(unknownRun);
      return await findParkedRuns(engine, host.runtime);
    });
    return {kind, readiness, server: 'replies', problem: null, parked};
  } catch (error) {
    return {kind, readiness, server: 'does not reply', problem: (error as Error).message, parked: null};
  } finally {
    await engine.close();
  }
}

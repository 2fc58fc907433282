// `lumenflow engine doctor`: what advances durable runs, how far it has been tested, and whether its server replies.
import {engineReadiness, type EngineReadiness} from '../../engine/engine-readiness.ts';
import {openEngine} from '../../engine/open-engine.ts';
import type {Command, CliContext} from '../command.ts';
import type {Host} from '../../compose.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
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
    text: () =>
      renderFields(
        [
          ['engine', kind],
          ['readiness', isEmbedded ? 'tested' : words[readiness]],
          ['server', isEmbedded ? 'none: the process that starts a run advances it' : (server ?? '')],
          ['problem', data.problem === null ? undefined : cleanText(data.problem)],
        ],
        context.style,
      ),
  };
};

/** A run that no workspace has. */
const unknownRun = 'doctor';

interface Diagnosis {
  readonly kind: string;
  readonly readiness: EngineReadiness;
  readonly server: string | null;
  readonly problem: string | null;
}

async function diagnose(host: Host, {spin}: CliContext): Promise<Diagnosis> {
  const {kind = 'embedded'} = host.runtime.workspace.spec.engine ?? {};
  const readiness = engineReadiness(kind);
  const engine = await openEngine(host);
  if (engine === undefined) return {kind, readiness, server: null, problem: null};
  try {
    await spin('asking the server', () => engine.query(unknownRun));
    return {kind, readiness, server: 'replies', problem: null};
  } catch (error) {
    return {kind, readiness, server: 'does not reply', problem: (error as Error).message};
  } finally {
    await engine.close();
  }
}

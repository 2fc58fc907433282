// A development session for a pack. Each turn shows the changes, and makes the call if it was requested or its result could
// change.
import type {Host} from '../../compose.ts';
import type {CliContext, Outcome} from '../command.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {runCallCommand} from '../call-commands/run-call-command.ts';
import {renderDecisions} from '../rendering/render-decisions.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {toolRows, type ToolRow} from '../rendering/render-tools.ts';
import {listingContextOf} from '../call-commands/listing-context.ts';
import {callFingerprint, findDevTool, parseDevCall, type DevCall} from './dev-call.ts';
import type {DevHost, Refreshed} from './dev-host.ts';
import type {DevWorkspace} from './dev-workspace.ts';
import {renderDev, isWorthPrinting, type DevView} from './render-dev.ts';

export interface DevSessionOptions {
  /** Folder of the pack: absolute, without symlinks. */
  readonly folder: string;
  readonly workspace: DevWorkspace;
  readonly host: DevHost;
  readonly by: string;
  readonly lane: string | undefined;
  /** Calls wait for a debugger at this port. */
  readonly inspectPort: number | undefined;
}

export interface DevSession {
  /** Throws CliError INVALID_ARGUMENT for an invalid call. */
  setCall(text: string): void;
  /** Makes the call in the next turn, even without a change. */
  askCall(): void;
  turn(): Promise<void>;
}

const clear = '\u001b[2J\u001b[3J\u001b[H';
const keys = 'Enter after: c call again · TOOL {JSON} call · q quit. Types are not checked: run `npm run check`';

export function createDevSession(context: CliContext, options: DevSessionOptions): DevSession {
  const {folder, host} = options;
  let call: DevCall | undefined;
  let isAsked = false;
  let lastStatus: Refreshed['status'] | undefined;
  let lastFingerprint: string | undefined;

  async function show(refreshed: Refreshed, durationMs: number, wasAsked: boolean): Promise<void> {
    // An author who requests a call has already seen the effect of the change.
    const isNews = refreshed.status !== lastStatus || (refreshed.status !== 'unchanged' && !wasAsked);
    lastStatus = refreshed.status;
    if (isNews || context.isInteractive)
      context.announce(viewOutcome(context, await viewOf(options, refreshed, durationMs)));
  }

  async function callIfDue(running: Host, {tool: name, input}: DevCall, wasAsked: boolean): Promise<void> {
    const tool = findDevTool(running, name, folder);
    const fingerprint = await callFingerprint(tool);
    if (!wasAsked && fingerprint === lastFingerprint) return;
    lastFingerprint = fingerprint;
    if (options.inspectPort !== undefined) context.announce(waitsForDebugger(options.inspectPort, context));
    const written = {input: JSON.stringify(input), fields: [], lane: options.lane};
    const outcome = await runCallCommand(context, running, {tool: tool.name, input, by: options.by, written});
    context.announce(await withDecisions(context, running, outcome));
  }

  return {
    setCall(text) {
      call = parseDevCall(text);
      isAsked = true;
    },
    askCall() {
      isAsked = call !== undefined;
    },
    async turn() {
      // A request during this turn is for the next turn.
      const wasAsked = isAsked;
      isAsked = false;
      const started = performance.now();
      const refreshed = await host.refresh();
      await show(refreshed, performance.now() - started, wasAsked);
      const running = host.current();
      if (running && call && (wasAsked || refreshed.status !== 'failed')) {
        await callIfDue(running, call, wasAsked).catch((error: unknown) =>
          context.announce(failureOutcome(context, error)),
        );
      }
      if (context.isInteractive) context.notify(`\n${context.errorStyle.dim(keys)}`);
    },
  };
}

function waitsForDebugger(port: number, {errorStyle}: CliContext): Outcome {
  const [place, how] = [`127.0.0.1:${port}`, 'chrome://inspect, or attach in an editor'];
  return {
    layout: 'line',
    data: {event: 'inspect', host: '127.0.0.1', port},
    note: () => errorStyle.warning(`● the call waits for a debugger at ${place} (${how}); it runs without a sandbox`),
  };
}

async function viewOf(
  {folder, host, workspace, lane, by}: DevSessionOptions,
  refreshed: Refreshed,
  durationMs: number,
): Promise<DevView> {
  const {root, isTemporary} = workspace;
  const shown = {...refreshed, problems: refreshed.problems.filter(isWorthPrinting), root, isTemporary, durationMs};
  const running = host.current();
  if (!running) return {...shown, pack: undefined, tools: []};
  const {runtime} = running;
  const pack = [...runtime.workspace.packs.values()].find((candidate) => candidate.root === folder);
  const {context: asked, lane: inLane} = await listingContextOf(running, {lane, by});
  const own = [...runtime.workspace.tools.values()].filter((tool) => tool.pack === pack);
  const tools: readonly ToolRow[] = toolRows(own, await runtime.listGovernedTools(asked), {
    withheld: runtime.workspace.withheld,
    lane: inLane,
  });
  return {...shown, pack: pack && `${pack.manifest.id} ${pack.manifest.version}`, tools};
}

function viewOutcome({isInteractive, style}: CliContext, view: DevView): Outcome {
  const {status, pack = null, tools, problems, written = [], durationMs} = view;
  return {
    layout: 'line',
    data: {event: 'pack', status, pack, tools, problems, written, duration_ms: Math.round(durationMs)},
    text: () => `${isInteractive ? clear : ''}${renderDev(view, style)}`,
  };
}

/** The result of a call with the rules that decided about it. */
async function withDecisions(
  {errorStyle}: CliContext,
  {runtime}: Host,
  outcome: Awaited<ReturnType<typeof runCallCommand>>,
): Promise<Outcome> {
  const receipt = await runtime.evidence.receipt(outcome.output.metadata?.receipt_id ?? '');
  const decisions = receipt?.started.policy_decisions ?? [];
  return {
    ...outcome,
    layout: 'line',
    data: {event: 'call', ...outcome.data, policy_decisions: decisions},
    text: () => `\n${outcome.text?.() ?? ''}`.trimEnd(),
    note: () => [outcome.note?.() ?? '', renderDecisions(decisions, errorStyle, 2)].filter(Boolean).join('\n'),
  };
}

export function failureOutcome({errorStyle}: CliContext, error: unknown): Outcome {
  const {failure, help} = failureFromError(error);
  return {
    layout: 'line',
    data: {event: 'call'},
    failure,
    note: () => renderFailure(failure, help === undefined ? {} : {help}, errorStyle),
  };
}

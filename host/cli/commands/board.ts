// `lumenflow board`: shows the tasks by lane. With --watch, updates the board until Ctrl-C.
import {setTimeout as wait} from 'node:timers/promises';
import {collectBoard, type BoardLane} from '../board/collect-board.ts';
import {renderBoard} from '../board/render-board.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly all?: boolean;
  readonly watch?: boolean;
}

const readyMax = 5;
/** Poll interval: other processes change the board. */
const lookMs = 1_000;
const clearScreen = '\u001b[H\u001b[2J';

export const board: Command<Options> = async (context, _args, options) =>
  await withHost(context, async ({runtime}) => {
    const {lane, all, watch} = options;
    if (lane !== undefined && !runtime.workspace.lanes.has(lane))
      throw noLane(lane, [...runtime.workspace.lanes.keys()]);
    const wanted = {lane, readyMax: all === true ? Number.MAX_SAFE_INTEGER : readyMax};
    const look = async (): Promise<Outcome> => outcomeOf(context, await collectBoard(runtime, wanted));
    if (watch !== true) return await look();
    await showUntilStopped(context, look);
    return undefined;
  });

/** Draws the board again if it changed. */
async function showUntilStopped(context: CliContext, look: () => Promise<Outcome>): Promise<void> {
  let shown: string | undefined;
  while (!context.signal.aborted) {
    const outcome = await look();
    // A changed age redraws the board only where the new picture replaces the old one.
    const picture = context.isInteractive ? (outcome.text?.() ?? '') : JSON.stringify(outcome.data);
    if (picture !== shown) {
      context.announce({...outcome, layout: 'line', ...(context.isInteractive && {text: () => clearScreen + picture})});
      shown = picture;
    }
    await nextLook(context.signal);
  }
}

async function nextLook(signal: AbortSignal): Promise<void> {
  try {
    await wait(lookMs, undefined, {signal});
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function outcomeOf({style}: CliContext, lanes: readonly BoardLane[]): Outcome {
  return {data: {lanes}, text: () => renderBoard(lanes, style, Date.now())};
}

function noLane(name: string, lanes: readonly string[]): CliError {
  return new CliError('LANE_NOT_FOUND', `there is no lane \`${name}\``, {
    help: `the lanes are ${lanes.join(', ')}`,
    exitCode: exitCode.usage,
  });
}

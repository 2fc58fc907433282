// Renders the board: a heading for each lane with its WIP limit, then one line per task.
import {textWidth} from '../rendering/text-width.ts';
import {cleanLine} from '../rendering/clean-text.ts';
import {fitText, padText} from '../rendering/fit-text.ts';
import {renderAge} from '../rendering/render-time.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import type {BoardLane, BoardTask} from './collect-board.ts';
import {counted} from '../../text/counted.ts';

const marks = {blocked: '■', active: '●', ready: '○', done: '✔', cancelled: '✗'} as const;
/** Maximum number of columns, so that titles have room. */
const idMax = 14;
const byMax = 12;

export function renderBoard(lanes: readonly BoardLane[], style: Style, nowMs: number): string {
  return lanes.map((lane) => renderLane(lane, style, nowMs)).join('\n\n');
}

function renderLane(lane: BoardLane, style: Style, nowMs: number): string {
  const rows = lane.tasks.map((task) => rowOf(task, nowMs));
  const width = (pick: (row: Row) => string, max: number): number =>
    Math.min(max, Math.max(0, ...rows.map((row) => textWidth(pick(row)))));
  const widths = {
    id: width(({id}) => id, idMax),
    state: width(({state}) => state, idMax),
    age: width(({age}) => age, idMax),
    by: width(({by}) => by, byMax),
  };
  const {more_ready, done} = lane;
  const rest = [more_ready > 0 && `${more_ready} more ready`, done > 0 && `${done} done`].filter(
    (text) => text !== false,
  );
  const nothing = rows.length === 0 && rest.length === 0 ? ['nothing to do'] : [];
  return [
    heading(lane, style),
    ...rows.map((row) => lineOf(row, widths, style)),
    ...[...nothing, ...rest].slice(0, 2).map((text) => `  ${style.dim(text)}`),
  ].join('\n');
}

function heading({lane_id, title, wip_limit, in_progress, sessions}: BoardLane, style: Style): string {
  const isFull = wip_limit !== undefined && in_progress >= wip_limit;
  const places = wip_limit === undefined ? `${in_progress} in progress` : `${in_progress} of ${wip_limit} in progress`;
  const open = sessions === 0 ? '' : `, ${counted(sessions, 'session')} included`;
  const right = isFull ? style.warning(`${places}${open}, full`) : style.dim(`${places}${open}`);
  const name = fitText(cleanLine(lane_id), 24);
  const room = style.width - textWidth(name) - textWidth(right) - 4;
  const reported = fitText(cleanLine(title ?? ''), Math.max(0, room));
  return `${style.bold(name)}  ${padText(reported, Math.max(0, room))}  ${right}`;
}

interface Row {
  readonly id: string;
  readonly mark: string;
  readonly paint: string;
  readonly state: string;
  readonly age: string;
  readonly by: string;
  readonly text: string;
}

function rowOf({task_id, state, state_alias, since, by = '', title, blocked_reason}: BoardTask, nowMs: number): Row {
  const says = blocked_reason === undefined ? title : `${title === '' ? '' : `${title} · `}${blocked_reason}`;
  return {
    id: cleanLine(task_id),
    mark: marks[state],
    paint: state,
    state: cleanLine(state_alias ?? state),
    age: renderAge(since, nowMs),
    by: cleanLine(by),
    text: cleanLine(says),
  };
}

function lineOf(row: Row, widths: {id: number; state: number; age: number; by: number}, style: Style): string {
  const paint = paintOf(style, row.paint);
  const lead = [
    paint(row.mark),
    style.bold(padText(fitText(row.id, widths.id), widths.id)),
    paint(padText(fitText(row.state, widths.state), widths.state)),
    padText(row.age, widths.age, 'right'),
    ...(widths.by === 0 ? [] : [padText(fitText(row.by, widths.by), widths.by)]),
  ].join('  ');
  const room = style.width - textWidth(lead) - 4;
  return `  ${lead}  ${fitText(row.text, Math.max(8, room))}`.trimEnd();
}

// Prints a running session: the model's text as it arrives, and each call with its decision.
import type {AgentEvent} from '../../agent/agent-event.ts';
import {isLimit} from '../../agent/is-limit.ts';
import type {RequestedTool} from '@lumenflow/schemas/agent-session';
import type {CliContext} from '../command.ts';
import {cleanLine, cleanText} from '../rendering/clean-text.ts';
import {fitText} from '../rendering/fit-text.ts';
import {wrapText} from '../rendering/render-fields.ts';
import {renderDuration} from '../rendering/render-time.ts';

type Speaker = Pick<CliContext, 'notify' | 'errorStyle'>;

export function narrateSession({notify, errorStyle: style}: Speaker): (event: AgentEvent) => void {
  let startedAt = 0;
  let text = '';
  const say = (line: string, indent = 2): void =>
    notify(wrapText(line, style.width - indent).replaceAll(/^/gmu, ' '.repeat(indent)));
  /** Prints whole lines as soon as they are complete, and the rest at the end of the turn. */
  const flush = (all: boolean): void => {
    const lines = text.split('\n');
    text = all ? '' : (lines.pop() ?? '');
    for (const line of lines) if (line.trim() !== '') say(cleanText(line));
  };
  return (event) => {
    switch (event.type) {
      case 'turn_started':
        return notify(style.dim(`turn ${event.turn_index + 1}`));
      case 'text':
        text += event.text;
        return flush(text.length > 2_000);
      case 'turn_finished':
        return flush(true);
      case 'call_started':
        startedAt = performance.now();
        return undefined;
      case 'call_progress':
        return undefined;
      case 'call_finished': {
        const {output} = event;
        const took = style.dim(renderDuration(performance.now() - startedAt));
        if (output.success) return notify(`  ${style.good('✔')} ${callLine(event.call, style.width - 14)}  ${took}`);
        notify(`  ${style.bad('✘')} ${callLine(event.call, style.width - 4)}`);
        // The end of the session prints the message of a limit.
        const reason = isLimit(output.error) ? '' : cleanText(output.error?.message ?? '');
        return say(`${style.bad(cleanText(output.error?.code ?? ''))}  ${reason}`.trimEnd(), 4);
      }
      case 'approval_required':
        notify(`  ${style.warning('●')} ${callLine(event.call, style.width - 4)}`);
        return say(`${style.warning('waits for approval')}  ${event.request_id}`, 4);
      case 'call_ambiguous':
        notify(`  ${style.warning('?')} ${callLine(event.call, style.width - 4)}`);
        return say(`${style.warning('unknown outcome')}  ${event.receipt_id}`, 4);
    }
  };
}

/** `note:add path=a line="b c"`, on one line. */
export function callLine({name, input}: Pick<RequestedTool, 'name' | 'input'>, columns: number): string {
  const fields =
    typeof input === 'object' && input !== null
      ? Object.entries(input).map(
          ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        )
      : [JSON.stringify(input ?? null)];
  return fitText(cleanLine([name, ...fields].join(' ')), columns);
}

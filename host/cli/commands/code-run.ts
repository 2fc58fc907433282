// `lumenflow code run`: runs a file of code that calls tools.
import type {CodeLanguage, CodeReport, CodeRequest} from '@lumenflow/schemas';
import {extname} from 'node:path';
import {codeToolFor, type CodeOptions} from '../../exec/index.ts';
import {runCallCommand, type WrittenCall} from '../call-commands/run-call-command.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {readNamedFile} from '../lookup/read-named-file.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderValue} from '../rendering/render-value.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options extends Pick<WrittenCall, 'lane' | 'task' | 'session'> {
  readonly as?: string;
  readonly language?: CodeLanguage;
  readonly allow?: readonly string[];
  readonly runsIn?: CodeOptions['runs_in'];
  readonly timeout?: string;
}

const languages: Readonly<Record<string, CodeLanguage>> = {
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.py': 'python',
  '.sh': 'shell',
};

export const codeRun: Command<Options> = async (context, [file = ''], options) => {
  const input = await requestOf(context, file, options);
  const {lane, task, session} = options;
  return await withHost(context, async (host) => {
    const acting = await actingPerson(context, host, options.as);
    const tool = codeToolFor(input, {runs_in: options.runsIn});
    const written = {lane, task, session, input: JSON.stringify(input), fields: []};
    const {output, ...outcome} = await runCallCommand(context, host, {
      tool,
      input,
      ...acting,
      written,
      file: file === '-' ? 'stdin' : file,
    });
    return 'calls' in Object(output.data) ? withReport(context, outcome, output.data as CodeReport) : outcome;
  });
};

async function requestOf(
  context: CliContext,
  file: string,
  {language = languages[extname(file)], allow, timeout}: Options,
): Promise<CodeRequest> {
  if (language === undefined) {
    throw new CliError('INVALID_ARGUMENT', `the language of \`${file}\` is not known`, {
      help: `add --language, or name the file with ${Object.keys(languages).join(', ')}`,
    });
  }
  const code =
    file === '-'
      ? await context.readStdin()
      : await readNamedFile(context, file, 'name a file with code, or `-` for stdin');
  const limits = timeout === undefined ? undefined : {wall_time_ms: msOf(timeout)};
  return {language, code, ...(allow && {allow: [...allow]}), ...(limits && {limits})};
}

function msOf(text: string): number {
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 1) return ms;
  throw new CliError('INVALID_ARGUMENT', `\`${text}\` is not a number of milliseconds`, {
    help: 'use, for example, 5000',
  });
}

function withReport({style, errorStyle}: CliContext, outcome: Outcome, report: CodeReport): Outcome {
  const {value, stdout, stderr, calls} = report;
  const shown = [stdout.replace(/\n$/u, ''), value === null ? '' : renderValue(value, style)];
  const table = renderTable(
    calls,
    [
      {title: 'CALL', cell: ({tool_id}) => tool_id, shrinksTo: 20},
      {title: 'RESULT', cell: ({status, error}) => error?.code ?? status},
      {title: 'RECEIPT', cell: ({receipt_id}) => receipt_id ?? ''},
    ],
    errorStyle,
  );
  const notes = [stderr.replace(/\n$/u, ''), calls.length === 0 ? '' : table, outcome.note?.() ?? ''];
  return {
    ...outcome,
    data: {...outcome.data, data: report},
    text: () => shown.filter((part) => part !== '').join('\n'),
    note: () => notes.filter((part) => part !== '').join('\n'),
  };
}

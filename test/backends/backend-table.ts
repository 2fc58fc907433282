// The figures as a table in Markdown: a row for each guarantee, a column for each backend.
import type {Strength} from '@lumenflow/sandbox';
import type {MeasuredBackend} from './measure-backend.ts';

const words: Readonly<Record<Strength, string>> = {enforced: 'yes', best_effort: 'in part', unsupported: 'no'};
const absent = '–';

export function backendTable(measured: readonly MeasuredBackend[]): string {
  const guarantees = [
    ...new Set(measured.flatMap(({report}) => (report.available ? Object.keys(report.guarantees) : []))),
  ];
  const row = (title: string, cell: (backend: MeasuredBackend) => string): string =>
    `| ${[title, ...measured.map(cell)].join(' | ')} |`;
  const milliseconds = (value: number | undefined): string => (value === undefined ? absent : value.toFixed(0));
  return [
    row('', ({backend}) => `\`${backend}\``),
    row('---', () => '---'),
    row('version', ({report}) => (report.available ? report.version : 'absent')),
    row('tier', ({report}) => (report.available ? report.tier : absent)),
    ...guarantees.map((name) =>
      row(`\`${name}\``, ({report}) =>
        report.available
          ? words[Object.entries(report.guarantees).find(([key]) => key === name)?.[1] ?? 'unsupported']
          : absent,
      ),
    ),
    row('cold call, ms', ({coldMs}) => milliseconds(coldMs)),
    row('warm call, ms', ({warmMs}) => milliseconds(warmMs)),
    row('attacks tried', ({attacks}) => String(attacks?.tried ?? absent)),
    row('attacks that succeeded', ({attacks}) => String(attacks?.succeeded ?? absent)),
  ].join('\n');
}

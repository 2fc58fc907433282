// What a run came to: the figures and the verdict, and a table of 80 columns.
import type {AttackResult, Status} from './make-attacks.ts';

export interface Verdict {
  readonly holds: boolean;
  readonly held: number;
  readonly succeeded: number;
  /** Succeeded as docs/sandbox.md says. */
  readonly documented: number;
  readonly impossible: number;
  /** Calls that the backend does not start. */
  readonly refused: number;
  readonly not_tried: number;
  readonly no_machine: number;
  /** Attempts that were made on the backend, for each user. */
  readonly tried: number;
  /** Different attacks that work unsandboxed here, for one user at least. */
  readonly really_tried: number;
  readonly problems: readonly string[];
}

const fewest = 100;

/** `whole` is a run of all attacks, which must really try 100. */
export function judgeRun(results: readonly AttackResult[], whole: boolean): Verdict {
  const count = (status: Status): number => results.filter((result) => result.status === status).length;
  const tried = results.filter(({status}) => ['held', 'succeeded', 'documented'].includes(status));
  const really_tried = new Set(tried.map(({group, name}) => `${group}/${name}`)).size;
  const figures = {
    held: count('held'),
    succeeded: count('succeeded'),
    documented: count('documented'),
    impossible: count('impossible'),
    refused: count('refused'),
    not_tried: count('not_tried'),
    no_machine: count('no_machine'),
    tried: tried.length,
    really_tried,
  };
  const problems = [
    ...(figures.succeeded > 0 ? [`${figures.succeeded} attacks succeeded`] : []),
    ...(figures.not_tried > 0 ? [`${figures.not_tried} calls ended before their attack was made`] : []),
    ...(figures.no_machine > 0 ? [`${figures.no_machine} attacks had no machine: it did not start`] : []),
    ...(really_tried === 0 ? ['no attack could be tried'] : []),
    ...(whole && really_tried < fewest ? [`only ${really_tried} attacks could be tried, fewer than ${fewest}`] : []),
  ];
  return {holds: problems.length === 0, ...figures, problems};
}

const width = 80;

export function resultTable(results: readonly AttackResult[], backend: string): string {
  const groups = [...new Set(results.map(({group}) => group))];
  const users = [...new Set(results.map(({user}) => user))];
  const rows = groups.flatMap((group) =>
    users.map((user) => {
      const own = results.filter((result) => result.group === group && result.user === user);
      const count = (...counted: readonly Status[]): string =>
        String(own.filter(({status}) => counted.includes(status)).length);
      return [
        group,
        user,
        count('held'),
        count('succeeded'),
        count('documented'),
        count('refused'),
        count('not_tried', 'no_machine'),
        count('impossible'),
      ];
    }),
  );
  const head = [backend, 'as', 'held', 'succeeded', 'documented', 'refused', 'not tried', 'impossible'];
  const widths = head.map((text, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0), text.length),
  );
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  return [
    ...lines,
    ...listed(results, 'succeeded', 'Succeeded'),
    ...listed(results, 'documented', 'Succeeded, as documented of direct writes'),
    ...listed(results, 'refused', 'Refused: the backend does not start such calls'),
    ...listed(results, 'not_tried', 'Not tried: the call ended before'),
    ...listed(results, 'no_machine', 'No machine: it did not start, nor when its start was repeated'),
    ...listed(results, 'impossible', 'Impossible here, even unsandboxed'),
  ].join('\n');
}

function listed(results: readonly AttackResult[], status: Status, heading: string): readonly string[] {
  const own = results.filter((result) => result.status === status);
  const lines = own.flatMap(({group, name, user, title, said}) => [
    `  ${group}/${name} (${user}): ${title}`.slice(0, width),
    `      ${said.replaceAll(/\s+/g, ' ').trim() || 'it said nothing'}`.slice(0, width),
  ]);
  return own.length === 0 ? [] : ['', heading, ...lines];
}

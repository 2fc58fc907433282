// `lumenflow task create`: creates a task from options, or from a complete spec in a file.
import type {Scope, TaskSpec} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {parse} from 'yaml';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly lane?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly blockedBy?: readonly string[];
  readonly file?: string;
  readonly as?: string;
}

export const taskCreate: Command<Options> = async (context, [id = ''], options) => {
  const written = options.file === undefined ? {} : await readSpec(context, options.file);
  return await withHost(context, async (host) => {
    const {runtime} = host;
    const {by, person} = await actingPerson(context, host, options.as);
    const lane_id = options.lane ?? written.lane_id ?? runtime.workspace.spec.lanes[0].id;
    const spec: TaskSpec = {...written, ...specOf(options), id, lane_id};
    const known = new Set(runtime.listTasks().map(({task_id}) => task_id));
    const unknown = (spec.blocked_by ?? []).filter((task) => !known.has(task));
    const result = await runtime.createTask(spec, {by, person});
    return transitionOutcome(context, {
      result,
      key: 'task',
      said: (task) => {
        const created = `created task ${task.task_id} in lane ${task.lane_id}: lumenflow task claim ${task.task_id}`;
        return unknown.length === 0 ? created : `${created}; it waits for ${unknown.join(', ')}, not created yet`;
      },
    });
  });
};

function specOf(options: Options): Partial<TaskSpec> {
  const {title, description, type, read = [], write = [], blockedBy} = options;
  const scopes: Scope[] = [
    ...read.map((pattern) => ({type: 'path', pattern, access: 'read'}) as const),
    ...write.map((pattern) => ({type: 'path', pattern, access: 'write'}) as const),
  ];
  return {
    ...(title !== undefined && {title}),
    ...(description !== undefined && {description}),
    ...(type !== undefined && {type}),
    ...(scopes.length > 0 && {declared_scopes: scopes}),
    ...(blockedBy !== undefined && {blocked_by: [...blockedBy]}),
  };
}

/** The kernel validates the content. */
async function readSpec({cwd, readStdin}: CliContext, file: string): Promise<Partial<TaskSpec>> {
  const text = file === '-' ? await readStdin() : await readFile(resolve(cwd, file), 'utf8');
  try {
    const value: unknown = parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    throw new Error('not a mapping');
  } catch (error) {
    throw new CliError('INVALID_ARGUMENT', `\`${file}\` is not a task: ${(error as Error).message}`, {
      help: 'write a mapping, for example `title: …`, that matches task.schema.json',
      exitCode: exitCode.usage,
    });
  }
}

// `lumenflow sandbox image build|list|prune`: the image that docker and podman start calls from. Works without a workspace.
import {
  engineBackends,
  openImageStore,
  type EngineBackendName,
  type ImageStore,
  type Outcome as Found,
  type RunnerImage,
} from '@lumenflow/sandbox';
import type {CliContext, Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findWorkspace, hasWorkspace} from '../lookup/find-workspace.ts';
import {readWorkspaceWrites} from '../lookup/workspace-writes.ts';
import {renderTable} from '../rendering/render-table.ts';

interface Options {
  readonly backend?: string;
}

const megabyte = 1_000_000;

export const sandboxImage: Readonly<Record<'build' | 'list' | 'prune', Command<Options>>> = {
  build: commandOf('building the image', async (store) => {
    const built = await store.build();
    return built.ok ? {ok: true, value: [built.value]} : built;
  }),
  list: commandOf('listing the images', async (store) => await store.list()),
  prune: commandOf('removing images', async (store) => await store.prune()),
};

function commandOf(
  label: string,
  work: (store: ImageStore) => Promise<Found<readonly RunnerImage[]>>,
): Command<Options> {
  return async (context, _, {backend}) => {
    const {name, store} = await openStore(context, backend);
    const images = valueOf(await context.spin(label, async () => await work(store)));
    return {
      data: {backend: name, images: images.map(({id, bytes, isCurrent}) => ({id, bytes, current: isCurrent}))},
      text: () => (images.length === 0 ? '' : tableOf(images, context)),
      note: () => (images.length === 0 ? context.errorStyle.dim(`${name}: no images`) : ''),
    };
  };
}

async function openStore(
  context: CliContext,
  named: string | undefined,
): Promise<{readonly name: EngineBackendName; readonly store: ImageStore}> {
  const known = engineBackends.filter((name) => named === undefined || name === named);
  if (known.length === 0) {
    throw new CliError('INVALID_ARGUMENT', `\`${named}\` is not a backend with images`, {
      help: `use ${engineBackends.join(' or ')}`,
      exitCode: exitCode.usage,
    });
  }
  const isNamed = context.workspace !== undefined || hasWorkspace(context.cwd);
  const {options} = isNamed ? await readWorkspaceWrites(findWorkspace(context), context.env) : {};
  const opened = known.map((name) => ({name, store: openImageStore(name, {socket: options?.[name]?.socket})}));
  const [first] = opened.toSorted((a, b) => Number(b.store.ok) - Number(a.store.ok));
  if (first === undefined) throw new CliError('SANDBOX_UNAVAILABLE', 'no engine is known');
  return {name: first.name, store: valueOf(first.store)};
}

function valueOf<T>(outcome: Found<T>): T {
  if (outcome.ok) return outcome.value;
  const {message, help} = outcome.problem;
  throw new CliError('SANDBOX_UNAVAILABLE', message, {help});
}

function tableOf(images: readonly RunnerImage[], {style}: CliContext): string {
  const columns = [
    {title: 'IMAGE', cell: ({id}: RunnerImage) => id},
    {title: 'SIZE', cell: ({bytes}: RunnerImage) => `${Math.round(bytes / megabyte)} MB`},
    {title: 'STATE', cell: ({isCurrent}: RunnerImage) => (isCurrent ? 'current' : 'old')},
  ];
  return renderTable(images, columns, style);
}

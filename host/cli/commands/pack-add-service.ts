// `lumenflow pack add ID --openapi DOCUMENT` or `--grpc ADDRESS`: reads what a service says of itself, and writes a pin for it to
// workspace.yaml.
import type {ServiceDescription} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {loadServiceKind, proposeServicePin, readService, type ProposedPin} from '../../services/index.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {openPacks, type OpenPacks} from '../lookup/open-packs.ts';
import {writeServicePin} from '../pins/write-service-pin.ts';
import {wrapText} from '../rendering/render-fields.ts';
import {shownNames} from '../rendering/shown-names.ts';

export interface ServiceOptions {
  /** A file or a URL. */
  readonly openapi?: string;
  /** An address. */
  readonly grpc?: string;
  readonly proto?: string;
  readonly server?: readonly string[];
  readonly only?: readonly string[];
}

export const packAddService: Command<ServiceOptions> = async (context, [id = ''], options) => {
  const packs = await openPacks(context);
  try {
    const asked = newPin(packs, id, options);
    const description = await context.spin('reading what the service offers', () => described(context, packs, asked));
    const proposed = proposeServicePin(asked, description, options.only ?? []);
    if (!proposed.ok) {
      const {message, help} = proposed.problem;
      throw new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
    }
    await writeServicePin(packs.workspaceRoot, proposed.value.pin, description);
    return outcomeOf(context, proposed.value);
  } finally {
    packs.source.close();
  }
};

function newPin({request}: OpenPacks, id: string, {openapi, grpc, proto, server}: ServiceOptions): PackPin {
  const refuse = (message: string, help: string): CliError =>
    new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
  if (!/^[a-z][a-z0-9-]{0,31}$/u.test(id)) {
    throw refuse(`\`${id}\` is not a valid id of a service`, 'use up to 32 lower-case letters, digits and `-`');
  }
  if (request.pins.some((pin) => pin.id === id)) {
    throw refuse(`workspace.yaml already pins a pack \`${id}\``, 'choose another id, or remove the pin');
  }
  const document = openapi ?? proto;
  const [first, ...others] = [...(grpc === undefined ? [] : [grpc]), ...(server ?? [])];
  const wrong = [first, ...others].find((address) => address !== undefined && !/^https?:\/\/[^\s?#@]+$/u.test(address));
  if (wrong !== undefined) {
    throw refuse(`\`${wrong}\` is not an address`, 'write it as `https://host` or `https://host:port/path`');
  }
  return {
    id,
    version: '0.0.0',
    integrity: 'dev',
    source: grpc === undefined ? 'openapi' : 'grpc',
    ...(document !== undefined && {document}),
    ...(first !== undefined && {servers: [first, ...others]}),
  };
}

async function described(context: CliContext, {workspaceRoot}: OpenPacks, pin: PackPin): Promise<ServiceDescription> {
  const refuse = ({message, help}: {readonly message: string; readonly help: string}): CliError =>
    new CliError('PACK_FETCH_FAILED', message, {help});
  const document = await readService(pin, {workspaceRoot, env: context.env, signal: context.signal});
  if (!document.ok) throw refuse(document.problem);
  const kind = await loadServiceKind(pin, workspaceRoot);
  if (!kind.ok) throw refuse(kind.problem);
  const description = kind.value.describe(pin, document.value);
  if (!description.ok) throw refuse(description.problem);
  return description.value;
}

function outcomeOf({style, errorStyle}: CliContext, {pin, leftOut, unsupported}: ProposedPin): Outcome {
  const names = Object.keys(pin.tools ?? {});
  const variables = Object.values(pin.credentials ?? {}).flatMap((credential) => Object.values(credential ?? {}));
  const lines = [
    ...(leftOut === 0 ? [] : [`${leftOut} operations were not selected`]),
    ...(unsupported.length === 0 ? [] : [`not supported, so requests lack it: ${shownNames(unsupported)}`]),
    ...(variables.length === 0 ? [] : [`set in the environment of the host: ${variables.join(', ')}`]),
    `the lanes that use it must allow its network: ${(pin.servers ?? []).join(', ')}`,
    `lumenflow pack install ${pin.id} && lumenflow pack approve ${pin.id}`,
  ];
  return {
    data: {pin, left_out: leftOut, unsupported},
    text: () =>
      wrapText(
        `${style.good('✔')} pinned ${style.bold(pin.id)} ${pin.version} in workspace.yaml: ${shownNames(names)}`,
        style.width,
      ),
    note: () => errorStyle.dim(lines.map((line) => wrapText(line, errorStyle.width)).join('\n')),
  };
}

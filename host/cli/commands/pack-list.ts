// `lumenflow pack list`: lists the packs of the workspace, including those that cannot be loaded.
import type {PackPin} from '@lumenflow/schemas';
import type {PackLoad} from '../../packs/load-pack.ts';
import {keyProblems} from '../../packs/signing/signature-problems.ts';
import type {SignatureFinding} from '../../packs/signing/pack-signature.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {openPacks} from '../lookup/open-packs.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import {renderTable, type Column} from '../rendering/render-table.ts';
import type {Paint, Style} from '../rendering/style.ts';

export const packList: Command = async (context) => {
  const packs = await openPacks(context);
  const {request, source} = packs;
  try {
    const loads = await context.spin('loading the packs', () => source.survey(request));
    const rows = request.pins.flatMap((pin, index) => {
      const load = loads[index];
      return load ? [rowOf(pin, load)] : [];
    });
    const problems = loads.flatMap((load) => load.problems);
    return outcomeOf(context, rows, [...keyProblems(request.security, request.locate), ...problems]);
  } finally {
    source.close();
  }
};

interface Row {
  readonly id: string;
  readonly version: string;
  readonly source: PackPin['source'];
  readonly trust: NonNullable<PackPin['trust']>;
  /** `modified`: the files differ from the pinned or fetched ones. */
  readonly state: 'pinned' | 'dev' | 'modified' | 'missing' | 'broken';
  readonly integrity?: string;
  readonly folder?: string;
  readonly tools: number;
  /** Number of tools that need `pack approve`. */
  readonly unapproved: number;
  readonly signature: SignatureFinding['state'] | 'unknown';
  readonly signed_by?: string;
  readonly trusted: boolean;
}

function rowOf(pin: PackPin, load: PackLoad): Row {
  const {manifest, integrity, root, signature, review} = load;
  const waiting = review?.isEnforced === true ? review.changes.filter(({kind}) => kind !== 'removed') : [];
  return {
    id: pin.id,
    version: manifest?.version ?? pin.version,
    source: pin.source,
    trust: pin.trust ?? 'sandboxed',
    state: stateOf(pin, load),
    ...(integrity !== undefined && {integrity}),
    ...(root !== undefined && {folder: root}),
    tools: manifest?.tools.length ?? 0,
    unapproved: waiting.length,
    ...signatureOf(signature),
  };
}

function signatureOf(signature: SignatureFinding | undefined): Pick<Row, 'signature' | 'signed_by' | 'trusted'> {
  if (!signature) return {signature: 'unknown', trusted: false};
  const {state, key, trusted} = signature;
  return {signature: state, trusted, ...(key !== undefined && {signed_by: key})};
}

function stateOf(pin: PackPin, {pack, problems}: PackLoad): Row['state'] {
  const has = (code: string): boolean => problems.some((problem) => problem.code === code);
  if (has('PACK_NOT_FOUND')) return 'missing';
  if (has('PACK_INTEGRITY_MISMATCH') || has('PACK_INSTALLED_CHANGED')) return 'modified';
  if (!pack) return 'broken';
  return pin.integrity === 'dev' ? 'dev' : 'pinned';
}

function outcomeOf({style, errorStyle}: CliContext, rows: readonly Row[], problems: PackLoad['problems']): Outcome {
  const isBroken = problems.some(({severity}) => severity === 'error');
  const failure = {code: 'LOAD_FAILED', message: 'some packs cannot be loaded', details: {problems}};
  return {
    data: {packs: rows},
    text: () => (rows.length === 0 ? '' : renderTable(rows, columnsOf(style), style)),
    note: () => {
      if (problems.length > 0) return `\n${renderProblems(problems, errorStyle)}`;
      return rows.length === 0 ? errorStyle.dim('no packs: pin one under `packs:` in workspace.yaml') : '';
    },
    ...(isBroken && {failure}),
  };
}

function columnsOf(style: Style): readonly Column<Row>[] {
  return [
    {title: 'PACK', cell: ({id}) => id, shrinksTo: 12, paint: () => style.bold},
    {title: 'VERSION', cell: ({version}) => version, shrinksTo: 7},
    {title: 'SOURCE', cell: ({source}) => source},
    {title: 'TRUST', cell: ({trust}) => trust},
    {title: 'FILES', cell: ({state}) => state, paint: ({state}) => paintOfState(style, state)},
    {title: 'SIGNATURE', cell: signatureText, shrinksTo: 12, paint: (row) => paintOfSignature(style, row)},
    {title: 'TOOLS', cell: toolsText, paint: ({unapproved}) => (unapproved > 0 ? style.warning : plain)},
  ];
}

function signatureText({signature, signed_by = '', trusted}: Row): string {
  if (signature === 'unknown') return '–';
  if (signature !== 'signed') return signature;
  return `${trusted ? '' : 'not trusted: '}${signed_by.split('+', 1).join('')}`;
}

function toolsText({tools, unapproved}: Row): string {
  return unapproved > 0 ? `${tools}, ${unapproved} to approve` : String(tools);
}

function paintOfState({good, warning, bad}: Style, state: Row['state']): Paint {
  if (state === 'pinned') return good;
  return state === 'dev' ? warning : bad;
}

function paintOfSignature({good, warning, bad}: Style, {signature, trusted}: Row): Paint {
  if (signature === 'signed') return trusted ? good : warning;
  return signature === 'invalid' || signature === 'modified' ? bad : plain;
}

function plain(text: string): string {
  return text;
}

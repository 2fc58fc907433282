// `lumenflow evidence verify`: verifies evidence from its files or its database alone, without starting a kernel.
import type {VerifyReport} from '@lumenflow/kernel';
import {
  attestingWorkers,
  parseVerifierKey,
  readVerifierKeys,
  readWorkspace,
  requiredWitnesses,
  verifyEvidence,
  verifyWorkspaceState,
  type RequiredWitnesses,
} from '@lumenflow/kernel/node';
import type {RemoteOptions} from '@lumenflow/schemas';
import {existsSync, readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {findWorkspace, hasWorkspace} from '../lookup/find-workspace.ts';
import {findStateFolder} from '../lookup/find-state-folder.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {counted} from '../../text/counted.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';
import {namedArchive} from '../state/named-archive.ts';
import {kernelFolderOf, openStateOf} from '../state/open-state-of.ts';
import {stateOf, type StateOfWorkspace} from '../state/state-of.ts';
import {givenWitnesses, mustBeWitnesses} from './witness-options.ts';
import {verifyProofFile} from './verify-proof-file.ts';

interface Options {
  readonly folder?: string;
  readonly key?: readonly string[];
  readonly checkpoint?: readonly string[];
  readonly proof?: string;
  readonly witness?: readonly string[];
  readonly witnesses?: string;
  readonly archive?: string;
}

/** The verifier's contract: 1 means that the check could not run. */
const exitCodes: Readonly<Record<VerifyReport['status'], number>> = {
  verified: 0,
  tampered: 2,
  truncated: 3,
  unsigned_tail: 4,
  empty: 5,
  blob_missing: 6,
  unattested: 7,
  unwitnessed: 8,
  unapproved: 9,
};

const verdicts: Readonly<Record<VerifyReport['status'], string>> = {
  verified: 'verified: every record, signature and content is unchanged',
  tampered: 'tampered: a record, signature or content was changed',
  truncated: 'truncated or rolled back: a recorded part is missing',
  unsigned_tail: 'not all signed: the records are intact, but no known signature covers the newest',
  empty: 'nothing to verify: the log contains no calls',
  unattested: 'not attested: the records are intact, but no known worker attests a call that ran on one',
  unapproved: 'not approved: the records are intact, but an approval lacks the valid signature of a passkey',
  unwitnessed: 'not witnessed: the records are intact, but too few witnesses cosigned the newest checkpoint',
  blob_missing: 'incomplete: the records are intact, but an input or output is missing or redacted',
};

const verifiedWithExpired =
  'verified: every record and signature is unchanged, and every content that has not expired by rule';

/** Errors that prevent the check exit with 1. Elsewhere they can exit with 2, which here means tampered evidence. */
export const evidenceVerify: Command<Options> = async (context, _args, options) => {
  try {
    for (const key of options.key ?? []) mustBeKey(key);
    mustBeWitnesses(options);
    return await check(context, options);
  } catch (error) {
    const {failure, problems, help} = failureFromError(error);
    const {code, message, details} = failure;
    throw new CliError(code, message, {details, help, problems, exitCode: exitCode.failed});
  }
};

/** A mistyped key would make intact evidence look unsigned. */
function mustBeKey(key: string): void {
  if (parseVerifierKey(key)) return;
  throw new CliError('INVALID_ARGUMENT', `\`${key}\` is not a verifier key`, {
    help: 'a verifier key is `name+id+base64`, for example the key in `.lumenflow/keys/evidence.pub`',
  });
}

async function check(context: CliContext, options: Options): Promise<Outcome> {
  if (options.proof !== undefined)
    return await verifyProofFile(context, {
      proof: options.proof,
      keys: options.key ?? [],
      witnesses: givenWitnesses(options),
    });
  const keptNotes = await Promise.all(
    (options.checkpoint ?? []).map(async (file) => await readFile(resolve(context.cwd, file), 'utf8')),
  );
  const place = options.folder === undefined ? await stateOf(context) : undefined;
  const {report, location} =
    place === undefined || place.settings.kind === 'files'
      ? await checkFiles(context, options, keptNotes)
      : await checkElsewhere(context, place, {options, keptNotes});
  const {status} = report;
  const code = exitCodes[status];
  const text = (): string => render(report, location, context.style);
  if (code === 0) return {data: {report}, text};
  const failure = {
    code: `EVIDENCE_${status.toUpperCase()}`,
    message: verdicts[status],
    details: {findings: report.findings},
  };
  return {data: {report}, failure, text, exitCode: code};
}

interface Checked {
  readonly report: VerifyReport;
  /** For people. */
  readonly location: string;
}

async function checkFiles(context: CliContext, options: Options, keptNotes: readonly string[]): Promise<Checked> {
  const stateFolder = findStateFolder(context, options.folder);
  const demands = await demandsOf(context, stateFolder, options);
  const archive = await namedArchive(context, {location: options.archive, stateFolder});
  const report = await context.spin('verifying', () =>
    verifyEvidence(stateFolder, {
      ...demands,
      archive,
      keyFolder: join(dirname(stateFolder), 'keys'),
      keptNotes,
      verifierKeys: options.key,
    }),
  );
  return {report, location: stateFolder};
}

async function checkElsewhere(
  context: CliContext,
  place: StateOfWorkspace,
  {options, keptNotes}: {readonly options: Options; readonly keptNotes: readonly string[]},
): Promise<Checked> {
  const stateFolder = kernelFolderOf(place.workspaceRoot);
  const {workers, witnesses} = await demandsOf(context, stateFolder, options);
  const state = await openStateOf(context, withArchive(place, options.archive));
  try {
    const known = options.key ?? readVerifierKeys(join(dirname(stateFolder), 'keys'));
    const report = await context.spin('verifying', () =>
      verifyWorkspaceState(state, {
        keys: known,
        keptNotes,
        workers,
        witnesses: witnesses && {...witnesses, stateFolder},
      }),
    );
    return {report, location: state.logs.traces.location};
  } finally {
    await state.close();
  }
}

/** The archive that --archive names, or that of workspace.yaml. */
function withArchive(place: StateOfWorkspace, location: string | undefined): StateOfWorkspace {
  return location === undefined ? place : {...place, archive: {...place.archive, location}};
}

interface Demands {
  readonly workers: RemoteOptions | undefined;
  readonly witnesses: RequiredWitnesses | undefined;
}

/** Those of the workspace that the evidence is of, or of the workspace here for a copy without one. */
async function demandsOf({cwd, env, workspace}: CliContext, stateFolder: string, options: Options): Promise<Demands> {
  const own = join(stateFolder, '..', '..');
  const isHere = workspace !== undefined || hasWorkspace(cwd);
  const root = existsSync(join(own, 'workspace.yaml')) || !isHere ? own : findWorkspace({cwd, workspace});
  const read = await readWorkspace({root, env});
  if (!read.ok && options.witness === undefined) mustNotNameWitnesses(root);
  const {security, evidence} = read.ok ? read.value.spec : {};
  const witnesses = evidence?.witnesses && requiredWitnesses(evidence.witnesses);
  return {
    workers: attestingWorkers(security?.sandbox?.backends),
    witnesses: givenWitnesses(options) ?? witnesses,
  };
}

/** Without its workspace.yaml, the evidence of a workspace must not appear to need no witness. */
function mustNotNameWitnesses(root: string): void {
  const path = join(root, 'workspace.yaml');
  if (!existsSync(path) || !readFileSync(path, 'utf8').includes('witnesses')) return;
  throw new CliError('LOAD_FAILED', `\`${path}\` is not valid, and may require witnesses`, {
    help: 'correct it: `lumenflow check` lists the problems; or name the witnesses with --witness',
  });
}

const findingsShown = 10;

function render(report: VerifyReport, location: string, style: Style): string {
  const {status, findings, witnesses, witnessed_records: witnessed} = report;
  const [mark, paint] =
    status === 'verified'
      ? ['✔', style.good]
      : status === 'tampered' || status === 'truncated'
        ? ['✘', style.bad]
        : ['●', style.warning];
  const facts = renderFields(
    [
      ['place', cleanText(location)],
      ['records', `${report.records}, of which ${report.signed_records} are signed`],
      ['contents', `${report.blobs}${report.expired > 0 ? `, and ${report.expired} expired by rule` : ''}`],
      ['root', report.root],
      ...report.signers.map(({verifier_key, checkpoints, records}, at): [string, string] => [
        at === 0 ? 'signed by' : '',
        `${cleanText(verifier_key)}, ${counted(checkpoints, 'checkpoint')} through record ${records}`,
      ]),
      ['approvals', report.signed_approvals === 0 ? undefined : `${report.signed_approvals} signed with passkeys`],
      ['witnessed', witnessed === undefined ? undefined : counted(witnessed, 'record')],
      ...witnesses.map(({name, records, cosigned_at}, at): [string, string] => [
        at === 0 ? 'witnesses' : '',
        `${cleanText(name)}, ${cosigned_at === undefined ? 'no cosignature' : `through record ${records} at ${cosigned_at}`}`,
      ]),
    ],
    style,
    2,
  );
  const verdict = status === 'verified' && report.expired > 0 ? verifiedWithExpired : verdicts[status];
  const shown = findings
    .slice(0, findingsShown)
    .map((finding) => `  - ${wrapText(cleanText(finding), style.width - 4).replaceAll('\n', '\n    ')}`);
  const more =
    findings.length > findingsShown
      ? [`  ${style.dim(`and ${findings.length - findingsShown} more: --json lists them`)}`]
      : [];
  return [wrapText(paint(`${mark} ${verdict}`), style.width), facts, ...shown, ...more].join('\n');
}

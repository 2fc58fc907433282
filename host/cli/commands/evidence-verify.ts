// `lumenflow evidence verify`: verifies evidence from its files alone, without starting a kernel.
import type {VerifyReport} from '@lumenflow/kernel';
import {parseVerifierKey, verifyEvidence} from '@lumenflow/kernel/node';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {failureFromError} from '../failures/failure-from-error.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';
import {verifyProofFile} from './verify-proof-file.ts';

interface Options {
  readonly folder?: string;
  readonly key?: readonly string[];
  readonly checkpoint?: readonly string[];
  readonly proof?: string;
}

/** The verifier's contract: 1 means that the check could not run. */
const exitCodes: Readonly<Record<VerifyReport['status'], number>> = {
  verified: 0,
  tampered: 2,
  truncated: 3,
  unsigned_tail: 4,
  empty: 5,
  blob_missing: 6,
};

const verdicts: Readonly<Record<VerifyReport['status'], string>> = {
  verified: 'verified: every record, signature and content is unchanged',
  tampered: 'tampered: a record, signature or content was changed',
  truncated: 'truncated or rolled back: a recorded part is missing',
  unsigned_tail: 'not all signed: the records are intact, but no known signature covers the newest',
  empty: 'nothing to verify: the log contains no calls',
  blob_missing: 'incomplete: the records are intact, but an input or output is missing or redacted',
};

/** Errors that prevent the check exit with 1. Elsewhere they can exit with 2, which here means tampered evidence. */
export const evidenceVerify: Command<Options> = async (context, _args, options) => {
  try {
    for (const key of options.key ?? []) mustBeKey(key);
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
    return await verifyProofFile(context, {proof: options.proof, keys: options.key ?? []});
  const stateFolder = stateFolderOf(context, options.folder);
  const keptNotes = await Promise.all(
    (options.checkpoint ?? []).map(async (file) => await readFile(resolve(context.cwd, file), 'utf8')),
  );
  const report = await context.spin('verifying', () =>
    verifyEvidence(stateFolder, {
      keyFolder: join(dirname(stateFolder), 'keys'),
      keptNotes,
      verifierKeys: options.key,
    }),
  );
  const {status} = report;
  const code = exitCodes[status];
  const text = (): string => render(report, stateFolder, context.style);
  if (code === 0) return {data: {report}, text};
  const failure = {
    code: `EVIDENCE_${status.toUpperCase()}`,
    message: verdicts[status],
    details: {findings: report.findings},
  };
  return {data: {report}, failure, text, exitCode: code};
}

function stateFolderOf(context: CliContext, folder: string | undefined): string {
  const start = folder === undefined ? findWorkspace(context) : resolve(context.cwd, folder);
  const candidates = [join(start, '.lumenflow', 'kernel'), join(start, 'kernel'), start];
  const found = candidates.find((candidate) => existsSync(join(candidate, 'evidence')));
  if (found !== undefined) return found;
  if (folder === undefined) return join(start, '.lumenflow', 'kernel');
  throw new CliError('EVIDENCE_NOT_FOUND', `\`${start}\` contains no evidence`, {
    help: 'name a copy of a workspace, its .lumenflow or its .lumenflow/kernel',
  });
}

const findingsShown = 10;

function render(report: VerifyReport, folder: string, style: Style): string {
  const {status, findings} = report;
  const [mark, paint] =
    status === 'verified'
      ? ['✔', style.good]
      : status === 'tampered' || status === 'truncated'
        ? ['✘', style.bad]
        : ['●', style.warning];
  const facts = renderFields(
    [
      ['folder', cleanText(folder)],
      ['records', `${report.records}, of which ${report.signed_records} are signed`],
      ['contents', `${report.blobs}`],
      ['root', report.root],
      ['key', report.verifier_key === undefined ? undefined : cleanText(report.verifier_key)],
    ],
    style,
    2,
  );
  const shown = findings
    .slice(0, findingsShown)
    .map((finding) => `  - ${wrapText(cleanText(finding), style.width - 4).replaceAll('\n', '\n    ')}`);
  const more =
    findings.length > findingsShown
      ? [`  ${style.dim(`and ${findings.length - findingsShown} more: --json lists them`)}`]
      : [];
  return [wrapText(paint(`${mark} ${verdicts[status]}`), style.width), facts, ...shown, ...more].join('\n');
}

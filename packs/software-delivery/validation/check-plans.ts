// Checks that plans are valid, and that approved plans have not changed since.
import type {ScopedFileSystem} from '@lumenflow/pack-sdk';
import {isToolError} from '@lumenflow/pack-sdk';
import {sha256Hex} from '../files/sha256-hex.ts';
import {approvedText, readPlanHead} from '../plans/plan-document.ts';
import {planFolder, planPath} from '../plans/plan-file.ts';
import type {PlanState} from '../plans/plan-slice.ts';
import {listIfThere} from './find-skills.ts';
import {error, validationOf, type ValidationFinding, type Validation} from './validation-finding.ts';

export async function checkPlans(fs: ScopedFileSystem, plans: PlanState): Promise<Validation> {
  const findings: ValidationFinding[] = [];
  const entries = (await listIfThere(fs, planFolder)).filter(({name, kind}) => kind === 'file' && name.endsWith('.md'));
  for (const {name} of entries) {
    const id = name.slice(0, -'.md'.length);
    const approved = Object.hasOwn(plans, id) ? plans[id]?.promoted?.approved_sha256 : undefined;
    const message = await problemOf(await fs.readText(planPath(id)), approved);
    if (message !== undefined) findings.push(error(planPath(id), 'PLAN', message));
  }
  return validationOf(entries.length, findings);
}

async function problemOf(text: string, approved: string | undefined): Promise<string | undefined> {
  try {
    if (readPlanHead(text).status !== 'approved') return undefined;
    if (approved === undefined) return 'it is marked as approved, but was never promoted';
    if (approved === (await sha256Hex(approvedText(text)))) return undefined;
    return 'it changed after its approval: run `plan:promote` again';
  } catch (error) {
    if (isToolError(error)) return error.message;
    throw error;
  }
}

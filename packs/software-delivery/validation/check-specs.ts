// Whether each work unit's file is sound, and is the one that the log knows.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {sha256Hex} from '../files/sha256-hex.ts';
import type {PackConfig} from '../pack-config.ts';
import {createSpecReader} from '../work-units/read-spec.ts';
import {specFolder, specPath} from '../work-units/spec-place.ts';
import type {WorkUnits} from '../work-units/work-units.ts';
import {listIfThere} from './find-skills.ts';
import {error, validationOf, warning, type Finding, type Validation} from './finding.ts';

export async function checkSpecs(
  {fs, config}: Pick<ToolContext<PackConfig>, 'fs' | 'config'>,
  {units}: Pick<WorkUnits, 'units'>,
): Promise<Validation> {
  const reader = createSpecReader();
  const findings: Finding[] = [];
  const there = new Set<string>();
  for (const {name, kind} of await listIfThere(fs, specFolder(config))) {
    if (kind !== 'file' || !name.endsWith('.yaml')) continue;
    const id = name.slice(0, -'.yaml'.length);
    const path = specPath(config, id);
    const text = await fs.readText(path);
    there.add(id);
    findings.push(...reader.read(text, path).problems.map(({where, message}) => error(where, 'spec', message)));
    const unit = Object.hasOwn(units, id) ? units[id] : undefined;
    if (unit === undefined) {
      findings.push(
        error(path, 'spec-unknown', `the log knows no work unit \`${id}\`: it was not made by \`wu:create\``),
      );
    } else if (unit.spec_hash !== (await sha256Hex(text))) {
      findings.push(error(path, 'spec-changed', 'it is not the spec that the log recorded: change it with `wu:edit`'));
    }
  }
  for (const {spec, status} of Object.values(units)) {
    if (there.has(spec.id) || status === 'done') continue;
    findings.push(
      warning(specPath(config, spec.id), 'spec-missing', `the file of the work unit \`${spec.id}\` is not there`),
    );
  }
  return validationOf(there.size, findings);
}

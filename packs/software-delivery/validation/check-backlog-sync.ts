// Checks that the rendered files equal the rendered log, byte for byte. The caller sets the severity of a missing file.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {DeliveryLog} from '../events/delivery-log.ts';
import {findFile} from '../files/current-file.ts';
import type {PackConfig} from '../pack-config.ts';
import {renderViews} from '../views/render-views.ts';
import {viewSlice} from '../views/view-slice.ts';
import {viewPath} from '../views/write-views.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {error, firstDifference, validationOf, type ValidationFinding, type Validation} from './validation-finding.ts';

const code = 'BACKLOG_SYNC';

export async function checkBacklogSync(
  {fs, config}: Pick<ToolContext<PackConfig>, 'fs' | 'config'>,
  log: DeliveryLog,
  absent: ValidationFinding['severity'],
): Promise<Validation> {
  const views = renderViews(await log.read(workUnitSlice), await log.read(viewSlice));
  const findings: ValidationFinding[] = [];
  for (const {name, text} of views) {
    const path = viewPath(config, name);
    const file = await findFile(fs, path);
    if (file === undefined) {
      findings.push({
        code,
        severity: absent,
        where: path,
        message: 'the file is missing: run `backlog:render`',
      });
    } else if (!Buffer.from(text).equals(file.bytes)) {
      const line = firstDifference(text, new TextDecoder().decode(file.bytes));
      findings.push(error(`${path}:${line}`, code, 'it differs from the rendered log: run `backlog:render`'));
    }
  }
  return validationOf(views.length, findings);
}

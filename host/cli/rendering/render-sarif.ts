// Renders problems as SARIF 2.1.0, which code scanning services show at the source line.
import type {Problem} from '@lumenflow/kernel';
import {isAbsolute, relative, resolve, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {version} from '../../version.ts';

export interface SarifPlaces {
  /** The folder that relative locations start from; absolute. */
  readonly root: string;
  /** The folder that the log's URIs start from; absolute. */
  readonly cwd: string;
}

/** Returns the log as JSON text. */
export function renderSarif(problems: readonly Problem[], places: SarifPlaces): string {
  const rules = [...new Set(problems.map(({code}) => code))].toSorted();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {driver: {name: 'lumenflow', version, rules: rules.map((id) => ({id}))}},
        columnKind: 'utf16CodeUnits',
        results: problems.map((problem) => ({
          ruleId: problem.code,
          ruleIndex: rules.indexOf(problem.code),
          level: problem.severity,
          message: {text: problem.help === undefined ? problem.message : `${problem.message}; fix: ${problem.help}`},
          locations: [locationOf(problem, places)],
        })),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function locationOf({where, pointer}: Problem, {root, cwd}: SarifPlaces): object {
  const [, file = where, line, column] = /^(.*?)(?::(\d+)(?::(\d+))?)?$/u.exec(where) ?? [];
  return {
    physicalLocation: {
      artifactLocation: {uri: addressOf(resolve(root, file), cwd)},
      ...(line !== undefined && {
        region: {startLine: Number(line), ...(column !== undefined && {startColumn: Number(column)})},
      }),
    },
    ...(pointer !== undefined && {logicalLocations: [{fullyQualifiedName: pointer}]}),
  };
}

/** Relative if possible, because the service has the repository but not the machine. */
function addressOf(file: string, cwd: string): string {
  const path = relative(cwd, file);
  if (path.startsWith('..') || isAbsolute(path)) return pathToFileURL(file).href;
  return path.split(sep).map(encodeURIComponent).join('/');
}

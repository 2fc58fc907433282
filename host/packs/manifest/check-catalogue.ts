// Checks that the names in a manifest's `catalogue` and `renamed` are those of its tools.
import {nearestName} from '@lumenflow/kernel';
import type {PackManifest} from '@lumenflow/schemas';

interface Report {
  add(pointer: string, code: string, message: string, help?: string): void;
}

export function checkCatalogue({catalogue, renamed = {}, tools}: PackManifest, report: Report): void {
  const names = tools.map(({name}) => name);
  const callable = tools.flatMap(({name, internal_only: internal}) => (internal === true ? [] : [name]));
  const add = (pointer: string, message: string, help: string): void =>
    report.add(pointer, 'PACK_MANIFEST_INVALID', message, help);
  const helpFor = (name: string): string => {
    const near = nearestName(name, names);
    return near === undefined ? 'name a tool of the pack' : `did you mean \`${near}\`?`;
  };
  for (const [set, patterns] of Object.entries(catalogue?.sets ?? {})) {
    const at = `/catalogue/sets/${set}`;
    if (set === 'all') add(at, '`all` is the name of the set of all tools', 'choose another name');
    if (names.includes(set)) add(at, `the set \`${set}\` has the name of a tool`, 'choose another name');
    for (const [index, name] of (patterns ?? []).entries()) {
      if (/[*?]/u.test(name) || names.includes(name)) continue;
      add(`${at}/${index}`, `\`${name}\` is not a tool of the pack`, helpFor(name));
    }
  }
  const standard = catalogue?.default;
  if (standard !== undefined && standard !== 'all' && !Object.hasOwn(catalogue?.sets ?? {}, standard)) {
    add('/catalogue/default', `\`${standard}\` is not a set of the catalogue`, 'name one of its sets, or `all`');
  }
  for (const [former, to] of Object.entries(renamed)) {
    const at = `/renamed/${former}`;
    if (callable.includes(former)) add(at, `\`${former}\` is a tool of the pack`, 'name a former tool');
    const tool = to?.tool ?? '';
    if (!callable.includes(tool)) add(`${at}/tool`, `\`${tool}\` is not a public tool of the pack`, helpFor(tool));
  }
}

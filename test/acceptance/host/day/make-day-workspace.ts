// A workspace in which everything below `p` waits for a person.
import {join} from 'node:path';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../../support/host-workspace.ts';
import {dayDirectories} from './day-tree.ts';

export function makeDayWorkspace(): HostWorkspace {
  const files = dayDirectories.flatMap((directory) => [`${directory}/f`, `${directory}/d/f`]);
  return makeHostWorkspace({
    copied: {held: join(import.meta.dirname, '../transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 100}],
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'ask',
            trigger: 'on_changes',
            decision: 'approval_required',
            when: {changes: {any: {path: ['p', 'p/**']}}},
          },
        ],
      },
    },
    files: Object.fromEntries(files.map((path) => [path, `first ${path}\n`])),
  });
}

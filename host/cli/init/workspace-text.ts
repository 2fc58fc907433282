// The workspace.yaml of a new workspace, with comments for its editor.
import type {PackPin} from '@lumenflow/schemas';

const gitScopes = `      # For git:add and git:commit.
      - {type: path, pattern: '.git/**', access: write}
      # For the worktrees of work units.
      - {type: path, pattern: 'worktrees/**', access: write}
`;

export interface NewWorkspace {
  readonly id: string;
  readonly pins: readonly PackPin[];
  /** Path of workspace.schema.json, relative to the workspace. */
  readonly schemaPath: string;
  /** Whether the folder is a git repository. If so, tools can write its history. */
  readonly isGit: boolean;
}

export function workspaceText({id, pins, schemaPath, isGit}: NewWorkspace): string {
  return `# yaml-language-server: $schema=${schemaPath}
#
# What agents may do here. Every call of a tool is held against this file, decided, and recorded as evidence.
# Try it:   lumenflow tools list        lumenflow policy explain file:write path=src/a.txt
# Changes count from the next start on; a running LumenFlow refuses calls once this file has changed.

id: '${id}'

# Where tools come from. A pin names the exact files by their hash: what is not these bytes is not run.
# trust: sandboxed runs all of a pack's code in an OS sandbox; in_process lets its quick handlers run on a thread.
${pins.length === 0 ? 'packs: []' : `packs:\n${pins.map(pinText).join('\n')}`}

# What a call may touch is what the workspace (here), its lane, its task and its tool all allow.
# Patterns: ? and * within a name, ** across folders, {a,b} for either. A write scope includes reading.
security:
  allowed_scopes:
    - {type: path, pattern: '**', access: write}
  # No network, unless a scope such as {type: network, posture: allowlist, allowlist_entries: ['api.example.com:443']} is given.
  network_default: 'off'
  # Cut out of everything above and below: no tool reads or writes these. .lumenflow is always cut out.
  deny_overlays: ['.env', '.env.*', 'secrets/**']

# A lane is a boundary with a name; each task lives in one.
lanes:
  - id: main
    title: Everyday work
    allowed_scopes:
      - {type: path, pattern: '**', access: read}
      - {type: path, pattern: 'src/**', access: write}
      - {type: path, pattern: 'docs/**', access: write}
${isGit ? gitScopes : ''}    # How many tasks may be in progress here at once.
    wip_limit: 20

# Who decides: workspace, then lane, pack and task, each of which may only be stricter. A deny always wins.
policies:
  default_decision: allow
  rules:
    - id: ask-before-admin
      trigger: on_tool_request
      decision: approval_required
      reason: tools with admin permission wait for a person
      when: {permission: [admin]}
      # Examples are checked at every start: the workspace does not load when one does not hold.
      examples:
        - {call: {tool: 'system:restart', permission: admin}, expect: approval_required}
        - {call: {tool: 'file:read', permission: read}, expect: no_match}
    # - id: ask-before-commit
    #   trigger: on_tool_request
    #   decision: approval_required
    #   when: {tool: 'git:commit'}
`;
}

function pinText(pin: PackPin): string {
  const {id, version, integrity, source, path, package: name, trust} = pin;
  const from = source === 'npm' ? `    package: '${name ?? ''}'` : `    path: ${JSON.stringify(path ?? '')}`;
  return [
    `  - id: ${id}`,
    `    version: ${version}`,
    `    integrity: ${integrity}`,
    `    source: ${source}`,
    from,
    `    trust: ${trust ?? 'sandboxed'}`,
  ].join('\n');
}

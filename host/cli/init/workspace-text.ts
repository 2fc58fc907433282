// The workspace.yaml of a new workspace, with comments for its editor.
import type {PackPin} from '@lumenflow/schemas';
import type {Project} from './survey-project.ts';

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
  readonly project: Project;
  /** The keys that signed all packs of `pins`. */
  readonly signers?: readonly string[];
}

/** For a folder without any. */
const usualFolders = ['src', 'docs'];

export function workspaceText({id, pins, schemaPath, isGit, project, signers = []}: NewWorkspace): string {
  const folders = project.folders.length === 0 ? usualFolders : project.folders;
  return `# yaml-language-server: $schema=${schemaPath}
#
# What agents may do here. LumenFlow checks every tool call against this file and records it as evidence.
# Try it:   lumenflow tools list        lumenflow policy explain file:write ${pathWord(folders)} content=Hello
# Changes take effect at the next start. A running LumenFlow refuses calls after this file has changed.

id: '${id}'

# The packs that provide tools. A pin contains the hash of the pack's files: other files do not run.
# trust: sandboxed runs all code of a pack in an OS sandbox; in_process allows its quick handlers on a thread of the host.
${pins.length === 0 ? 'packs: []' : `packs:\n${pins.map(pinText).join('\n')}`}

# A call may access only what the workspace (here), its lane, its task and its tool all allow.
# Patterns: ? and * within a name, ** across folders, {a,b} for either. A write scope includes reading.
security:
  allowed_scopes:
    - {type: path, pattern: '**', access: write}
  # No network without a scope such as {type: network, posture: allowlist, allowlist_entries: ['api.example.com:443']}.
  network_default: 'off'
  # No tool can read or write these paths, in any scope. .lumenflow is always included.
  deny_overlays: ['.env', '.env.*', 'secrets/**']
${signersText(signers)}
# A lane is a named set of scopes and rules. Each task belongs to one lane.
lanes:
  - id: main
    title: Everyday work
    allowed_scopes:
      - {type: path, pattern: '**', access: read}
${folders.map(writeScope).join('')}${instructionsComment(project)}${isGit ? gitScopes : ''}    # The maximum number of tasks in progress at the same time.
    wip_limit: 20

# Rules of the workspace, then of lane, pack and task; each layer can only be stricter. A deny always wins.
policies:
  default_decision: allow
  rules:
    - id: ask-before-admin
      trigger: on_tool_request
      decision: approval_required
      reason: tools with admin permission wait for a person
      when: {permission: [admin]}
      # Every start checks the examples: the workspace does not load if one fails.
      examples:
        - {call: {tool: 'system:restart', permission: admin}, expect: approval_required}
        - {call: {tool: 'file:read', permission: read}, expect: no_match}
${commitRule(isGit && has(pins, 'software-delivery'))}${has(pins, 'agent-runtime') ? agentsComment : ''}`;
}

function has(pins: readonly PackPin[], id: string): boolean {
  return pins.some((pin) => pin.id === id);
}

const agentsComment = `
# Agents that LumenFlow runs itself need a model, and intents that list what they may call:
# agent_runtime:
#   default_model: demo
#   models:
#     demo: {provider: scripted, model: demo-1, script: agent.yaml}
#   intents:
#     notes:
#       description: Keep notes
#       allow_tools: ['file:read']
#       approval_required_tools: ['file:write']
`;

/** Keys contain no quotes. */
function signersText(signers: readonly string[]): string {
  if (signers.length === 0) return '';
  const keys = signers.map((key) => `'${key}'`).join(', ');
  return `  # Only packs with a signature by one of these keys load. The first signed the packs shipped with LumenFlow.
  packs: {require_signature: true, trusted_keys: [${keys}]}
`;
}

/** The scope's pattern is a YAML text in single quotes. */
function writeScope(folder: string): string {
  return `      - {type: path, pattern: '${folder}/**', access: write}\n`;
}

function instructionsComment({instructions}: Project): string {
  if (instructions.length === 0) return '';
  return `      # Agents obey ${instructions.join(', ')}: only a scope that names such a file allows a tool to write it.\n`;
}

/** An argument for a shell. */
function pathWord([folder = '']: readonly string[]): string {
  return folder.includes(' ') ? `'path=${folder}/a.txt'` : `path=${folder}/a.txt`;
}

const commitLines = [
  '- id: ask-before-commit',
  '  trigger: on_tool_request',
  '  decision: approval_required',
  '  reason: a person reviews each commit',
  "  when: {tool: 'git:commit'}",
  '  examples:',
  "    - {call: {tool: 'git:commit'}, expect: approval_required}",
  "    - {call: {tool: 'git:status'}, expect: no_match}",
];

/** Without a repository or its tools, the rule is an example in a comment. */
function commitRule(applies: boolean): string {
  return commitLines.map((line) => `    ${applies ? '' : '# '}${line}\n`).join('');
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

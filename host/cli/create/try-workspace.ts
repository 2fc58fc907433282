import type {NewPack} from './project-files.ts';

/** The workspace.yaml beside a new pack: it lets the pack's tools read everything and write nothing. */
export function tryWorkspace({id, workspaceSchema}: NewPack): string {
  return `# yaml-language-server: $schema=${workspaceSchema}
# A workspace to try the pack in: lumenflow tools call ${id}:greet name=Ada
id: try-${id}
packs:
  - {id: ${id}, version: 0.1.0, integrity: dev, source: local, path: .}
lanes:
  - id: main
    allowed_scopes: [{type: path, pattern: '**', access: read}]
security:
  allowed_scopes: [{type: path, pattern: '**', access: read}]
policies: {default_decision: allow}
`;
}

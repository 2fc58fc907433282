// Generated from the JSON Schemas by schemas/generate.ts. Do not edit.

/**
 * chmod: the permissions alone. rename: a file that went at `from` and came at `path`, with the same content and permissions.
 */
export type ChangeOp = ("create" | "modify" | "delete" | "rename" | "chmod" | "link")
/**
 * other: a FIFO, a socket or a device, which no call may leave behind.
 */
export type EntryKind = ("file" | "directory" | "symlink" | "other")
/**
 * applied: the files are in the workspace. parked: a person is asked. discarded: nothing was applied. merged: they became part of the caller's changes, which are applied or discarded as a whole. conflict: the same paths changed elsewhere. The changes are kept and nothing was applied.
 */
export type ChangesState = ("applied" | "parked" | "discarded" | "conflict" | "merged")
/**
 * A fact about a task, run, approval or workspace. State is a fold over events in order of seq.
 */
export type KernelEvent = (TaskCreated | TaskAmended | TaskClaimed | TaskBlocked | TaskUnblocked | TaskReleased | TaskCancelled | TaskCompleted | CallCounted | TaintAdded | GroupProvisioned | NotificationBegan | NotificationEnded | ApprovalRequested | ApprovalResolved | ApprovalUsed | ApprovalWithdrawn | ChangesSettling | ChangesSettled | EvidencePolicyDecided | EvidenceRedacted | EvidenceArchived | EvidenceExpired | EvidenceHeld | EvidenceHoldLifted | EvidenceLost | EvidenceSalvaged | StateSnapshot | PersonSignedIn | PersonSignedOut | PersonProvisioned | PersonPasskeyAdded | PersonPasskeyRemoved)
/**
 * Gap-free, from 1.
 */
export type Seq = number
/**
 * SHA-256 of the line before, 64 zeros for the first.
 */
export type Prev = string
/**
 * UTC, ISO 8601 with milliseconds.
 */
export type Timestamp = string
/**
 * deny wins over approval_required, which wins over allow.
 */
export type PolicyOutcome = ("allow" | "deny" | "approval_required")
export type PolicyDecisions = PolicyDecision[]
/**
 * The credential id of WebAuthn, as base64url.
 */
export type PasskeyId = string
export type Sha256 = string
export type Base64Bytes = string
/**
 * RFC 6962 hashes, from the leaf up.
 */
export type MerklePath = Sha256[]
/**
 * One line of the append-only evidence log.
 */
export type EvidenceRecord = (ToolCallStarted | ToolCallProgress | ToolCallFinished)
/**
 * kernel: a kernel tool, which the kernel runs itself. service: a request of the host to a service.
 */
export type ExecutionMode = ("pool" | "sandbox" | "service" | "kernel" | "none")
/**
 * A permission on paths (read or write) or on the network.
 */
export type Scope = (PathScope | NetworkScope)
/**
 * write includes read.
 */
export type PathAccess = ("read" | "write")
/**
 * off: no network. allowlist: the listed entries only. full: everything but host loopback, link-local and metadata addresses.
 */
export type NetworkPosture = ("off" | "allowlist" | "full")
export type PolicyLayerName = ("workspace" | "lane" | "pack" | "task")
/**
 * failure: the handler failed. denied: the call did not run, because a layer refused it. invalid: it did not run, because its input is not valid. crashed: the process ended before it had an outcome.
 */
export type CallResult = ("success" | "failure" | "denied" | "invalid" | "crashed")
export type LimitSource = ("tool" | "workspace")
/**
 * domain:verb, or a bare verb.
 */
export type ToolName = string
/**
 * read: changes nothing. write: may write files within its scopes. admin: like write, but rules can distinguish it.
 */
export type Permission = ("read" | "write" | "admin")
/**
 * summary: one line. schema: also the whole description and the schemas. full: also the pack, scopes, limits and examples.
 */
export type ToolDocLevel = ("summary" | "schema" | "full")
/**
 * JSON pointer into the earlier values of a chain: `/previous` is the last one, `/NAME` the one that a step names with `as`.
 */
export type ValuePointer = string
/**
 * TypeScript is not type-checked: its types are removed. Shell is POSIX `sh`.
 */
export type CodeLanguage = ("javascript" | "typescript" | "python" | "shell")
/**
 * The tools that the code can call, find and read about: names such as `file:read`, namespaces such as `file:*`, or `*`. Default: every tool that the session may call.
 * 
 * @maxItems 1000
 */
export type CodeAllow = string[]
export type TaskState = ("ready" | "active" | "blocked" | "done" | "cancelled")
export type Identifier = string
/**
 * What happens: a call, a claim of a task, its completion, evidence added to it, files changed by a call that succeeded, what a call returns.
 */
export type PolicyTrigger = ("on_tool_request" | "on_claim" | "on_completion" | "on_evidence_added" | "on_changes" | "on_tool_result")
export type CallSurface = ("agent" | "api" | "cli" | "http" | "mcp")
export type CallRole = ("agent" | "person" | "operator")
export type ToolSink = ("external" | "privileged")
/**
 * A line for a POSIX shell or bash, or a list of the words of one command. Both `runs` and `uses` must match. A rule that restricts also matches what cannot be parsed.
 */
export type CommandMatcher = (CommandMatcher1 & {
/**
 * JSON pointer of the command in the tool's input.
 */
argument: string
/**
 * Words of commands; `*` and `?` within a word, `**` at the end for any further words. A rule that restricts matches if one of the commands has these words in this order; one that allows only if each command has exactly these words.
 */
runs?: (string | [string, ...(string)[]])
/**
 * It uses one of these constructs of the shell.
 * 
 * @minItems 1
 */
uses?: [("assignment" | "background" | "expansion" | "group" | "list" | "pipe" | "redirect" | "substitution"), ...(("assignment" | "background" | "expansion" | "group" | "list" | "pipe" | "redirect" | "substitution"))[]]
})
export type CommandMatcher1 = {
[k: string]: unknown | undefined
}
/**
 * How many calls that `when` matches may run before the rule applies, or how much they may add up to.
 */
export type PolicyLimit = ({
/**
 * Number of calls.
 */
count?: number
/**
 * Total of the numbers that `sum` or `sum_output` names.
 */
total?: number
/**
 * JSON pointer of a number in what the tool returns. Until a call has ended, and if it fails or returns no such number, `each` counts instead.
 */
sum_output?: string
/**
 * With `sum_output`: the most that one call adds. If this could exceed the total, the rule applies.
 */
each?: number
/**
 * JSON pointer of a number in the tool's input. A value that is not a number, or is negative, makes the rule apply.
 */
sum?: string
/**
 * Within any period of this length: s, m, h or d. Without it, from the beginning.
 */
per?: string
/**
 * Whose calls count together.
 */
of: ("session" | "task" | "lane" | "tool" | "actor" | "workspace")
} & PolicyLimit1)
export type PolicyLimit1 = {
[k: string]: unknown | undefined
}
/**
 * All that was considered, in order of layers.
 */
export type PolicyDecisions1 = PolicyDecision[]
/**
 * All decisions that lead to the outcome.
 */
export type PolicyDecisions2 = PolicyDecision[]
/**
 * The decisions that were rejected, because they are looser than an outer layer's.
 */
export type PolicyDecisions3 = PolicyDecision[]
/**
 * The rules that judge what the call changes once it has succeeded; each says what it decides if it applies.
 */
export type PolicyDecisions4 = PolicyDecision[]
/**
 * The rules that judge what the call returns; each says what it decides if it applies. One that allows redacts what its patterns match.
 */
export type PolicyDecisions5 = PolicyDecision[]
/**
 * A file of the pack and one of its exports: path#export.
 */
export type Entry = string
/**
 * A file of the pack and one of its exports: path#export. Without an export, a WebAssembly module is entered at `run`, or at `_start` if it has no `run`. A YAML or JSON file without an export is a program: the tool makes its calls.
 */
export type HandlerEntry = string
export type HandlerKind = ("in_process" | "subprocess")
/**
 * What a sandbox can guarantee for every call. kernel: a kernel other than the host's serves system calls.
 */
export type NeededGuarantee = ("filesystem" | "trusted_files" | "network_off" | "processes" | "environment" | "system_calls" | "kernel" | "wall_time" | "cpu_time" | "memory" | "process_count" | "open_files" | "file_size" | "output")
/**
 * transactional (default): a call writes to a private view. Its changes are judged after it has succeeded, and applied as a whole or not at all. direct: it writes to the workspace immediately. The workspace (`security.direct_writes`) or the lane (`writes: direct`) must allow that.
 */
export type Writes = ("direct" | "transactional")
/**
 * Offers the tool to MCP clients as one of the protocol's own kinds: the handler's data is the protocol's result, passed on as it is. Without it, MCP clients receive the data as text and as structured content.
 */
export type McpOffer = {
/**
 * tool: content of any type. prompt: messages. resource: the contents of an address.
 */
kind: ("tool" | "prompt" | "resource")
/**
 * kind resource: its address. `{name}` in it becomes the input's `name`.
 */
uri?: string
/**
 * kind resource: the MIME type of its contents.
 */
mime_type?: string
/**
 * kind resource, with a `uri` that ends in `{+name}`: what lists of resources show in its place. An address replaces `{+name}`; one with variables is shown as a template.
 * 
 * @maxItems 1000
 */
lists?: ListedResource[]
}
export type ToolSetName = string
export type LooseningLayerName = ("lane" | "pack" | "task")
export type CommandPatterns = (string | [string, ...(string)[]])
export type TimeParts = (string | [string, ...(string)[]])
export type EntryMatchers = (EntryMatcher | [EntryMatcher, ...(EntryMatcher)[]])
export type Globs = (string | [string, ...(string)[]])
/**
 * true: any of them. Otherwise a glob or a list of globs over tool names.
 */
export type SourceGlobs = (true | string | [string, ...(string)[]])
/**
 * `?`, `*` within a segment, `**` for whole segments, `{a,b}`; `infra/**` is `infra` and all below it.
 */
export type PathGlobs = (string | [string, ...(string)[]])
export type ExamplePaths = (string | [string, ...(string)[]])
/**
 * A CEL expression, for example `size(log.commits) > 0`.
 */
export type Expression = string
export type ValueName = string
/**
 * running: a process may be running it. waiting: for approvals. interrupted: it can be resumed. ambiguous: a person must settle a call whose outcome is unknown.
 */
export type ProgramRunState = ("running" | "waiting" | "interrupted" | "ambiguous" | "succeeded" | "failed")
export type ToolOutput = (ToolSuccess | ToolRefusal)
export type WireMessage = (WireInvoke | WireResult | WireProgress | WireLog | WireRequest | WireResponse | WireCancel | WireReady | WireLoaded)
export type LogLevel = ("debug" | "info" | "warn" | "error")
export type RequestMethod = ("call_tool" | "fs_read" | "fs_write" | "fs_list" | "fs_stat" | "fs_remove" | "state_read" | "state_lines" | "state_write" | "state_append" | "state_remove" | "state_names")
export type PackPin = {
/**
 * The pack's id, as its manifest says.
 */
id: string
/**
 * Semver; must equal the manifest's version.
 */
version: string
/**
 * sha256:<64 hex> over the pack's files, or dev while the pack is being written.
 */
integrity: string
/**
 * Where its files come from. mcp: an MCP server, which is started in the sandbox or reached over HTTP. openapi: an HTTP service that an OpenAPI document describes. grpc: a gRPC service.
 */
source: ("local" | "npm" | "git" | "mcp" | "openapi" | "grpc")
/**
 * source local: the pack's directory, relative to the workspace root. source npm: a tarball to install it from, instead of the registry. source git: the pack's directory in the repository. source mcp: the directory of the server's program and its files, relative to the workspace root; read-only in calls.
 */
path?: string
/**
 * source npm: the installed package's name.
 */
package?: string
/**
 * source git: the repository. source mcp, in place of `command`: the address of a server that speaks streamable HTTP. Its tools reach this host and port, and nothing else.
 */
url?: string
/**
 * source mcp, with `url`: headers of each request. `${NAME}` is replaced by a variable of the host's environment, which no caller, log or receipt shows.
 */
headers?: {
[k: string]: string | undefined
}
/**
 * source git: a whole commit id, a tag or a branch; packs.lock records the commit it resolved to.
 */
ref?: string
/**
 * source mcp: what starts the server, in the workspace's root; it speaks MCP on stdin and stdout.
 * 
 * @minItems 1
 */
command?: [string, ...(string)[]]
/**
 * source openapi: the OpenAPI document, a file relative to the workspace root or a URL. source grpc: the .proto file; default the service's reflection. packs.lock records its hash.
 */
document?: string
/**
 * sources openapi and grpc: addresses of the service, in order of preference. Its calls reach these and nothing else. A call that can be repeated uses the next one if one is down.
 * 
 * @minItems 1
 */
servers?: [string, ...(string)[]]
/**
 * sources openapi and grpc: addresses in private networks that names of `servers` may resolve to, as allowlist entries. Default none.
 */
private_addresses?: string[]
/**
 * sources openapi and grpc: the variables of the host's environment that contain the secrets, by the document's names of its security schemes. The host adds the secrets to requests; tools, receipts and logs never contain them.
 */
credentials?: {
[k: string]: ServiceCredential | undefined
}
/**
 * sources mcp, openapi and grpc: what the service's tools are, by its own names for them. A tool that is not named here is not there.
 */
tools?: {
[k: string]: UpstreamTool | undefined
}
prompts?: UpstreamTool
resources?: UpstreamTool
/**
 * source mcp: how long a started server, or a session over HTTP, serves calls. call: one call. session, task, workspace: all calls of one session, of one claim of a task, or of one host, as long as their grant is the same. Such a server keeps its state, runs one call at a time, and cannot write to the workspace. Default call.
 */
lifetime?: ("call" | "session" | "task" | "workspace")
/**
 * source mcp, with a `lifetime` longer than one call: milliseconds without a call after which the server ends; default 600,000.
 */
idle_ms?: number
/**
 * source mcp: the calls of the server run one after another, also those of other hosts of the workspace. For a server that stores its data in a file. Default false.
 */
serial?: boolean
/**
 * in_process: this pack's in-process handlers may run on the thread pool.
 */
trust?: ("sandboxed" | "in_process")
}
/**
 * The tier: what a sandbox must enforce; otherwise its calls are refused. standard: files, network and environment. hardened: everything, with a separate kernel. dev: nothing; handlers run with all rights of the host's user.
 */
export type SecurityTier = ("dev" | "standard" | "hardened")
/**
 * bubblewrap: Linux. seatbelt: macOS. runc, crun: a container for each call, on Linux. gvisor: a container with a separate kernel; it reaches the tier hardened. vm: a virtual machine for each call, on Linux; it reaches the tier hardened, and works on copies of files. firecracker: a virtual machine of Firecracker with its jailer, as root. docker, podman: a container for each call, through the API of an engine. containerd: a container for each call, without an image. kata: a container in a virtual machine of Kata Containers. remote: on another machine, by a worker; it works on copies of files. proxmox-lxc: a container of Proxmox VE for each call, with a worker in it. kubernetes: a Pod of a cluster for each call; it works on copies of files, and needs the package @lumenflow/integration-kubernetes. wasm: WebAssembly modules, and nothing else. unsafe-host: no sandbox at all; it reaches the tier dev alone.
 */
export type SandboxBackendName = ("bubblewrap" | "seatbelt" | "runc" | "crun" | "gvisor" | "vm" | "firecracker" | "docker" | "podman" | "containerd" | "kata" | "remote" | "proxmox-lxc" | "kubernetes" | "wasm" | "unsafe-host")
/**
 * Absolute path of the socket of containerd. Default: /run/containerd/containerd.sock.
 */
export type ContainerdSocket = string
/**
 * A public key: name+id+key.
 */
export type VerifierKey = string
export type Period = string
export type NotificationReceiver = ({
/**
 * Names the receiver in records.
 */
id: string
/**
 * https, or http on loopback. With `email`, a mail server: smtps, or smtp, which must offer STARTTLS except on loopback.
 */
url?: string
/**
 * Environment variable with the address, for addresses that are secrets, such as those of Slack and Teams.
 */
url_env?: string
/**
 * Environment variable with the secret that signs the messages: whsec_ and 24 to 64 bytes as base64, as Standard Webhooks say.
 */
secret_env?: string
/**
 * standard: all facts as JSON. slack, teams: a text for people. Default standard.
 */
format?: ("standard" | "slack" | "teams")
/**
 * The events that it receives in addition to new requests; default: both. closed: the request was answered, withdrawn, or has expired.
 */
also?: ("reminder" | "closed")[]
/**
 * The person, or the group as group:NAME, that answers by a signed link in each message. See `links`.
 */
link_to?: string
/**
 * true: the address may be in a private network. Default: only addresses that are public, or loopback.
 */
internal?: boolean
email?: EmailReceiver
} & NotificationReceiver1)
export type EmailAddress = string
export type NotificationReceiver1 = {
[k: string]: unknown | undefined
}
/**
 * auto: the intent of write and admin tools is on disk (fsync) before dispatch. always: every record is. process: the page cache only.
 */
export type Durability = ("auto" | "always" | "process")
/**
 * Groups whose members work in their own tasks.
 * 
 * @minItems 1
 * @maxItems 1000
 */
export type GroupNames = [string, ...(string)[]]
/**
 * Groups whose members see everything, and approve.
 * 
 * @minItems 1
 * @maxItems 1000
 */
export type GroupNames1 = [string, ...(string)[]]
/**
 * Groups whose members also list and sign out people.
 * 
 * @minItems 1
 * @maxItems 1000
 */
export type GroupNames2 = [string, ...(string)[]]
/**
 * @minItems 1
 * @maxItems 1000
 */
export type GroupNames3 = [string, ...(string)[]]
export type VariableName = string
/**
 * A number of days, such as `400d`.
 */
export type Age = string

/**
 * What a call did to the files of its workspace, as one value.
 */
export interface ChangeSet {
/**
 * What the changes were made to: the SHA-256 of the canonical JSON of [path, before without content_ref], for each entry with a before. The path of a rename is its `from`.
 */
base: string
/**
 * Sorted by path, in order of its bytes as UTF-8.
 */
entries: ChangeEntry[]
/**
 * SHA-256 over the canonical JSON of {base, entries without content_ref}.
 */
digest: string
}
export interface ChangeEntry {
/**
 * Relative to the workspace root.
 */
path: string
op: ChangeOp
/**
 * Of a rename the path before; of a link the path of the other name.
 */
from?: string
before?: EntryState
after?: EntryState
}
export interface EntryState {
kind: EntryKind
/**
 * Permissions with setuid, setgid and sticky.
 */
mode: number
/**
 * Of a file.
 */
bytes?: number
/**
 * Of a file's content. Absent above 1 GiB for what the call did not write.
 */
sha256?: string
/**
 * Instead of the hash of a file's content: inode, time of birth and of the last change, as nanoseconds.
 */
identity?: string
/**
 * Where the content is kept; absent when it is more than is kept.
 */
content_ref?: string
/**
 * Of a symlink: its text.
 */
target?: string
}
/**
 * What a call wrote into its view of the workspace, and what became of it as a whole.
 */
export interface RecordedChanges {
state: ChangesState
/**
 * The call was made to see its changes: they are discarded.
 */
dry_run?: true
/**
 * Receipt of the call whose changes these take back.
 */
reverts?: string
/**
 * Parked: the request that a person answers.
 */
request_id?: string
/**
 * Of the change set.
 */
digest: string
/**
 * Of the change set.
 */
base: string
/**
 * Entries of the change set.
 */
count: number
/**
 * Sizes of all files created and modified.
 */
bytes: number
/**
 * Where the whole change set is kept, as canonical JSON.
 */
ref: string
/**
 * The first entries in order of path, at most 200.
 */
list: ChangeEntry[]
}
export interface TaskCreated {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_created"
person?: Person
task_id: string
lane_id: string
/**
 * Absent for a task of no pack's types.
 */
task_type?: string
/**
 * SHA-256 of the task file's bytes.
 */
spec_hash: string
}
/**
 * A person as the issuer of the workspace identified them.
 */
export interface Person {
/**
 * The issuer's address, as in `iss`.
 */
issuer: string
/**
 * The person's id at the issuer, as in `sub`; it never changes.
 */
subject: string
/**
 * For people.
 */
display_name?: string
}
export interface TaskAmended {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_amended"
person?: Person
task_id: string
/**
 * SHA-256 of the file that contains the amended spec; part of its name.
 */
spec_hash: string
}
export interface TaskClaimed {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_claimed"
person?: Person
task_id: string
run_id: string
session_id: string
/**
 * The claim ends with this process: once it is dead, the task is released.
 */
process_id?: string
/**
 * UTC, ISO 8601 with milliseconds.
 */
decided_at?: string
observed?: ObservedPolicy
policy_decisions?: PolicyDecisions
}
/**
 * What rules with `mode: observe` would have led to; absent if none of them matched.
 */
export interface ObservedPolicy {
/**
 * The decision that there would have been with these rules.
 */
decision: ("allow" | "deny" | "approval_required")
rules: PolicyDecisions
}
export interface PolicyDecision {
decision: PolicyOutcome
layer: ("kernel" | "workspace" | "lane" | "pack" | "task")
rule_id: string
reason?: string
/**
 * file:line:column of the rule.
 */
where?: string
/**
 * The required approvers: how many persons, and from which, groups resolved; absent if any one person may.
 */
approvers?: {
count: number
by?: string[]
/**
 * Each approval is signed with a passkey.
 */
passkey?: true
}
/**
 * Of a rule of on_tool_result: how many texts of the result it replaced.
 */
redacted?: number
/**
 * Why the decision was rejected: it is looser than what an outer layer decided.
 */
warning?: string
}
export interface TaskBlocked {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_blocked"
person?: Person
task_id: string
reason: string
}
export interface TaskUnblocked {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_unblocked"
person?: Person
task_id: string
}
export interface TaskReleased {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_released"
person?: Person
task_id: string
reason: string
}
export interface TaskCancelled {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_cancelled"
person?: Person
task_id: string
reason: string
}
export interface TaskCompleted {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "task_completed"
person?: Person
task_id: string
evidence_refs?: string[]
/**
 * UTC, ISO 8601 with milliseconds.
 */
decided_at?: string
observed?: ObservedPolicy
policy_decisions?: PolicyDecisions
}
/**
 * A call that rules with `at_most` count was admitted, which is recorded before its intent; or it ended, and what it returned replaces the amount that was assumed.
 */
export interface CallCounted {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "call_counted"
receipt_id: string
counts: {
key: string
/**
 * Negative if the call returned less than was assumed.
 */
amount: number
per_ms?: number
/**
 * UTC, ISO 8601 with milliseconds.
 */
since?: string
}[]
}
/**
 * A call of an untrusted source, or a call in a tainted session or task, was admitted, which is recorded before its intent; or a tainted agent created a task.
 */
export interface TaintAdded {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "taint_added"
/**
 * The call; absent if a principal whose sessions are tainted created a task without one.
 */
receipt_id?: string
/**
 * @minItems 1
 */
taints: [{
/**
 * What is tainted: `session ID`, `programs ID` for those that a session started, `task ID`, `store PACK/NAME`, or `actor NAME` for the tasks that this principal creates.
 */
of: string
source: TaintSource
}, ...({
/**
 * What is tainted: `session ID`, `programs ID` for those that a session started, `task ID`, `store PACK/NAME`, or `actor NAME` for the tasks that this principal creates.
 */
of: string
source: TaintSource
})[]]
}
/**
 * A call of a tool that is marked `source: untrusted`.
 */
export interface TaintSource {
tool_name: string
receipt_id: string
}
/**
 * The identity provider created, changed or removed a group over SCIM.
 */
export interface GroupProvisioned {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "group_provisioned"
/**
 * The `id` of the group in SCIM; never used for another one.
 */
group_id: string
/**
 * The name that `sign_in.roles` of workspace.yaml compares.
 */
display_name: string
/**
 * The identity provider's id.
 */
external_id?: string
/**
 * Ids of users that join.
 */
add?: string[]
/**
 * Ids of users that leave.
 */
drop?: string[]
/**
 * The identity provider has deleted the group.
 */
removed?: true
}
/**
 * A process begins to notify a receiver about a request for approval.
 */
export interface NotificationBegan {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "notification_began"
request_id: string
/**
 * The id of the receiver in workspace.yaml.
 */
receiver: string
/**
 * requested, reminder-1, reminder-2 and so on, or closed.
 */
occasion: string
attempt: number
process_id: string
}
/**
 * The outcome of such an attempt. failed: it is repeated. given_up: it is not.
 */
export interface NotificationEnded {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "notification_ended"
request_id: string
/**
 * The id of the receiver in workspace.yaml.
 */
receiver: string
/**
 * requested, reminder-1, reminder-2 and so on, or closed.
 */
occasion: string
attempt: number
outcome: ("delivered" | "failed" | "given_up")
/**
 * UTC, ISO 8601 with milliseconds.
 */
retry_at?: string
/**
 * The status of the answer, or why there was none.
 */
detail?: string
}
export interface ApprovalRequested {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "approval_requested"
request_id: string
/**
 * SHA-256 over the canonical subject.
 */
binding: string
subject: ApprovalSubject
expires_at: string
rules: PolicyDecisions
self_approval?: boolean
/**
 * Whether an answer in the asking conversation counts.
 */
inband?: boolean
/**
 * Where the input of the asked call is kept.
 */
input_ref?: string
preview?: ApprovalPreview
}
/**
 * What exactly is asked: a call, a claim, a completion, what a call has changed, or a program or one of its steps.
 */
export interface ApprovalSubject {
kind: ("call" | "claim" | "completion" | "changes" | "program")
task_id: string
run_id?: string
session_id: string
/**
 * Of a claim: the principal that would own the task.
 */
actor?: string
tool_name?: string
pack_id?: string
pack_version?: string
pack_integrity?: string
input_hash?: string
policy_digest: string
/**
 * Of changes: the call that made them.
 */
receipt_id?: string
/**
 * Of changes: the digest of the change set.
 */
changes_digest?: string
/**
 * Of changes: what they were made to.
 */
changes_base?: string
/**
 * Of changes: where the change set is kept.
 */
changes_ref?: string
/**
 * Of a program: the tools whose calls it permits in this run, as their packs were then.
 * 
 * @maxItems 1000
 */
permitted_tools?: PermittedTool[]
/**
 * Of a claim or a completion: the task's spec as it was judged.
 */
spec_hash?: string
/**
 * Of a call whose tool has a preview: SHA-256 over the canonical output of the preview.
 */
preview_digest?: string
}
export interface PermittedTool {
tool_name: string
pack_id: string
pack_integrity: string
}
/**
 * What the call would do, as its tool's preview reported it when the approval was asked for.
 */
export interface ApprovalPreview {
tool_name: string
/**
 * The call of the preview.
 */
receipt_id: string
/**
 * Where its output is kept.
 */
ref: string
}
export interface ApprovalResolved {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "approval_resolved"
request_id: string
person?: Person
approved: boolean
/**
 * inband: answered in the conversation that asked. link: by a signed link.
 */
channel?: ("inband" | "link")
/**
 * Of the link, which can be used once.
 */
link_id?: string
assertion?: PasskeyAssertion
reason?: string
}
/**
 * What a passkey signed, as WebAuthn defines it. Its challenge is the SHA-256 of `lumenflow-approval-v1`, the id of the request and its binding, each with a newline.
 */
export interface PasskeyAssertion {
passkey_id: PasskeyId
/**
 * As base64.
 */
authenticator_data: string
/**
 * The text whose SHA-256 is signed after `authenticator_data`.
 */
client_data_json: string
/**
 * As base64.
 */
signature: string
}
export interface ApprovalUsed {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "approval_used"
request_id: string
/**
 * The receipt or run that consumed the approval.
 */
used_by: string
}
/**
 * The request can no longer be answered or used.
 */
export interface ApprovalWithdrawn {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "approval_withdrawn"
request_id: string
reason: string
/**
 * The request that asks for the same call, since what it would do has changed.
 */
superseded_by?: string
}
/**
 * A process begins to apply or to discard what a call changed. When it dies before the outcome, another process continues.
 */
export interface ChangesSettling {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "changes_settling"
person?: Person
/**
 * The call that made the changes.
 */
receipt_id: string
process_id: string
intent: ("apply" | "discard")
}
/**
 * What became of changes that were parked or kept.
 */
export interface ChangesSettled {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "changes_settled"
person?: Person
/**
 * The call that made the changes.
 */
receipt_id: string
/**
 * failed: they could not be applied, and are kept.
 */
state: ("applied" | "discarded" | "conflict" | "failed")
/**
 * Paths that are not as they were, at most 200.
 */
conflicts?: string[]
reason?: string
}
export interface EvidencePolicyDecided {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_policy_decided"
receipt_id: string
task_id: string
policy_decisions: PolicyDecisions
}
/**
 * Contents that are permanently destroyed; the records keep their hashes.
 */
export interface EvidenceRedacted {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_redacted"
reason: string
/**
 * The call whose input, output and log were named.
 */
receipt_id?: string
/**
 * SHA-256 of each content. Every copy is erased, for all records that refer to it.
 */
hashes: Sha256[]
}
/**
 * A segment of a log was moved to the archive, and read back from there.
 */
export interface EvidenceArchived {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_archived"
log: ("events" | "traces")
/**
 * Its first line.
 */
first_seq: number
/**
 * Its last line.
 */
last_seq: number
/**
 * Where the archive is, without secrets.
 */
archive: string
/**
 * The object, whose name contains the SHA-256 of its bytes.
 */
key: string
}
/**
 * Inputs, outputs and files of old calls were deleted by a rule of `retention`; the records keep their hashes.
 */
export interface EvidenceExpired {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_expired"
/**
 * The rule, such as `contents: 400d`.
 */
rule: string
/**
 * UTC, ISO 8601 with milliseconds.
 */
before: string
/**
 * Contents of later records were not deleted.
 */
through_seq: number
/**
 * Of all calls that began up to this record, everything that the rule covers was deleted.
 */
complete_seq: number
/**
 * How many contents were deleted.
 */
contents: number
/**
 * How many contents a legal hold kept.
 */
held?: number
}
/**
 * A legal hold: nothing of the calls that it covers is deleted or redacted until it is lifted.
 */
export interface EvidenceHeld {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_held"
hold_id: string
reason: string
covers: HeldCalls
}
/**
 * The calls that match every property.
 */
export interface HeldCalls {
task_id?: string
session_id?: string
tool_name?: string
/**
 * Calls of the tasks of this lane.
 */
lane_id?: string
/**
 * UTC, ISO 8601 with milliseconds.
 */
since?: string
/**
 * UTC, ISO 8601 with milliseconds.
 */
until?: string
}
/**
 * A legal hold ended.
 */
export interface EvidenceHoldLifted {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_hold_lifted"
hold_id: string
reason: string
}
/**
 * Contents that a power cut destroyed before they were on disk; their records remain. It does not excuse contents that were signed before.
 */
export interface EvidenceLost {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_lost"
contents: LostContent[]
}
export interface LostContent {
receipt_id: string
/**
 * As the call's record names it.
 */
ref: string
}
/**
 * A damaged log was cut back to the lines before the damage. What was cut off was put aside. If the events were cut, open approvals are withdrawn, because their use may be lost. Earlier sessions, tasks and stores count as tainted.
 */
export interface EvidenceSalvaged {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "evidence_salvaged"
/**
 * The directory in `.lumenflow/kernel/salvaged` that contains what was put aside.
 */
id: string
log: ("events" | "traces")
reason: string
/**
 * What was wrong, and where.
 */
damage: string
/**
 * The log continues after this line.
 */
kept_lines: number
/**
 * Sessions that are named in what was cut off the events, or made calls since. They count as tainted.
 */
sessions?: string[]
/**
 * The log had at least this number of lines, according to its checkpoints and to what was put aside.
 */
known_lines: number
/**
 * SHA-256 of manifest.json in that directory, which contains the hash of each file.
 */
manifest_sha256: string
}
/**
 * The fold of the first events was stored, so that a start reads only those after them. A snapshot whose hash is not here is not used.
 */
export interface StateSnapshot {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "state_snapshot"
/**
 * The last event of the fold.
 */
through_seq: number
/**
 * Of the snapshot.
 */
sha256: string
}
/**
 * A person signed in at the issuer of the workspace. The name belongs to this issuer and subject from then on.
 */
export interface PersonSignedIn {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "person_signed_in"
/**
 * The actor of what the person does.
 */
name: string
person: Person
/**
 * The groups of the person that `sign_in.roles` of workspace.yaml names.
 */
groups: string[]
/**
 * Of the token that the person was given; the token has 256 random bits.
 */
token_sha256: string
expires_at: Timestamp
/**
 * How the person signed in.
 */
via: ("browser" | "device")
}
/**
 * One sign-in of a person ended, or all of them.
 */
export interface PersonSignedOut {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "person_signed_out"
name: string
/**
 * The sign-in that ended; absent: all sign-ins so far.
 */
token_sha256?: string
reason: string
}
/**
 * The identity provider created, changed, deactivated or removed a person over SCIM. All sign-ins of a person who is not active have ended.
 */
export interface PersonProvisioned {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "person_provisioned"
/**
 * The actor of what the person does.
 */
name: string
/**
 * The `id` of the user in SCIM; never used for another one.
 */
user_id: string
/**
 * As the identity provider spells it.
 */
user_name: string
/**
 * The identity provider's id.
 */
external_id?: string
display_name?: string
active: boolean
/**
 * The identity provider has deleted the user.
 */
removed?: true
}
/**
 * A person enrolled a passkey, which signs approvals of this person from then on.
 */
export interface PersonPasskeyAdded {
seq: Seq
prev: Prev
timestamp: Timestamp
actor: string
type: "person_passkey_added"
/**
 * The person, as the actor of approvals.
 */
name: string
person?: Person
passkey_id: PasskeyId
/**
 * SubjectPublicKeyInfo, DER as base64.
 */
public_key: string
/**
 * The host name that the passkey is bound to.
 */
rp_id: string
/**
 * The address of the dashboard at which it signs.
 */
origin: string
/**
 * Signatures so far, by the passkey's own count; 0 if it does not count.
 */
sign_count: number
/**
 * The person's name for it.
 */
label: string
}
/**
 * A passkey signs no approvals from then on. Earlier ones stay valid.
 */
export interface PersonPasskeyRemoved {
seq: Seq
prev: Prev
timestamp: Timestamp
/**
 * The person, or an admin.
 */
actor: string
type: "person_passkey_removed"
/**
 * Whose passkey it was.
 */
name: string
passkey_id: PasskeyId
}
/**
 * Proof that the records of one call are in a signed log: everything an independent verifier needs.
 */
export interface EvidenceProof {
version: 1
receipt_id: string
/**
 * The call's records in order; the first is its start.
 */
records: ProvenRecord[]
/**
 * Hashes of the canonical input, the output and the log, as the records have them.
 */
blobs: ProvenBlob[]
/**
 * A C2SP tlog-checkpoint as a signed note.
 */
checkpoint: string
/**
 * The signer's C2SP verifier key. To trust it, a verifier must know it from another source.
 */
verifier_key: string
}
export interface ProvenRecord {
/**
 * The record's line in the log, without its newline. The tree's leaf is the SHA-256 of its UTF-8 bytes.
 */
line: string
/**
 * The leaf's number: the record's seq less one.
 */
index: number
path: MerklePath
}
export interface ProvenBlob {
role: ("input" | "output" | "log")
hash: Sha256
}
/**
 * That a signed log of some size is the beginning of a larger one.
 */
export interface ConsistencyProof {
version: 1
from_size: number
path: MerklePath
/**
 * Over the larger log, as a signed note.
 */
checkpoint: string
verifier_key: string
}
/**
 * The intent, recorded before anything runs.
 */
export interface ToolCallStarted {
seq: Seq
prev: Sha256
timestamp: Timestamp
type: "tool_call_started"
receipt_id: string
/**
 * The call that made this call.
 */
parent_receipt_id?: string
/**
 * The kernel process that owns the call, for reconciliation.
 */
process_id: string
run_id: string
task_id: string
session_id: string
lane_id?: string
tool_name: string
pack_id?: string
pack_version?: string
pack_integrity?: string
execution_mode: ExecutionMode
scope_requested?: Scope[]
/**
 * How what the call wrote reached the workspace; absent for a call that could not write.
 */
writes?: ("direct" | "transactional")
scope_enforced?: GrantedScopes
input_hash?: Sha256
input_ref?: string
/**
 * SHA-256 of workspace.yaml's bytes; with included files, of the lines that sha256sum prints for all of them.
 */
spec_hash: string
approval_request_id?: string
/**
 * The principal that made the call, as the surface knows it. A nested call has its caller's principal.
 */
by?: string
person?: Person
/**
 * Where the call came in: cli, http, mcp, agent or api.
 */
surface?: string
/**
 * As what its principal counted for policy rules; absent in older records.
 */
role?: ("agent" | "person" | "operator")
/**
 * The tool whose call this one previews. The call itself is parent_receipt_id.
 */
preview_of?: string
execution_metadata?: {
[k: string]: unknown | undefined
}
observed?: ObservedPolicy
/**
 * Limits that the call counts toward, if it was admitted.
 */
counted?: CountedUse[]
/**
 * Where the taint of the session or the task came from, when the call was decided; absent if there was none.
 */
tainted_by?: TaintSource[]
policy_decisions: PolicyDecisions
/**
 * The call waited until this record, all earlier records and their contents were on disk. A later record of the call proves that they were.
 */
durable?: true
}
export interface PathScope {
/**
 * Files and folders.
 */
type: "path"
/**
 * Relative to the workspace root. Literals, ?, *, ** (whole segments) and {a,b}. A write grant includes reading the same paths.
 */
pattern: string
access: PathAccess
}
export interface NetworkScope {
/**
 * The network.
 */
type: "network"
posture: NetworkPosture
/**
 * host:port, *.host:port, or an address range in CIDR notation with an optional :port.
 * 
 * @maxItems 1000
 */
allowlist_entries?: string[]
}
/**
 * What the intersection of workspace, lane, task and tool leaves.
 */
export interface GrantedScopes {
read: string[]
write: string[]
network: {
posture: NetworkPosture
allowlist_entries: string[]
}
}
/**
 * A limit that a call counts toward, as the decision saw it.
 */
export interface CountedUse {
rule_id: string
layer: PolicyLayerName
/**
 * Names the count: the rule, and whose calls count together.
 */
key: string
/**
 * Whose calls: for example `session s-1`.
 */
of: string
/**
 * What this call adds; absent from the count until it is admitted.
 */
amount: number
/**
 * What counted before.
 */
used: number
at_most: number
/**
 * Length of the period; without it, from the beginning.
 */
per_ms?: number
/**
 * JSON pointer of the number in what the call returns, which replaces `amount` in the count.
 */
output?: string
}
export interface ToolCallProgress {
seq: Seq
prev: Sha256
timestamp: Timestamp
type: "tool_call_progress"
receipt_id: string
sequence: number
payload: unknown
}
export interface ToolCallFinished {
seq: Seq
prev: Sha256
timestamp: Timestamp
type: "tool_call_finished"
receipt_id: string
result: CallResult
duration_ms: number
error_code?: string
error_message?: string
output_hash?: Sha256
output_ref?: string
observed?: ObservedPolicy
policy_decisions?: PolicyDecisions
/**
 * Calls that the handler made, refused ones included, in the order in which they ended; the first 1,000.
 * 
 * @maxItems 1000
 */
child_receipt_ids?: string[]
artifacts_written?: string[]
changes?: RecordedChanges
enforcement?: Enforcement
log_hash?: Sha256
/**
 * Where the handler's log is kept, as JSON Lines.
 */
log_ref?: string
}
/**
 * What enforced the call's limits and scopes: observed, not intended.
 */
export interface Enforcement {
backend: string
tier: ("none" | "dev" | "standard" | "hardened")
profile_digest?: string
degraded?: string[]
/**
 * Started for this call; started before it, for one call; or kept from earlier calls.
 */
start?: ("cold" | "warm" | "reused")
/**
 * Of a reused sandbox: how many calls it served before this one.
 */
reused?: number
/**
 * Why the sandbox did not start at first. Nothing of the call ran until a later attempt.
 */
failed_starts?: string[]
server?: ServerRecord
attestation?: Attestation
exit_code?: number
exit_signal?: string
/**
 * Digest of the self-test that this kind of profile passed on this host before its first call: LumenFlow tried escapes, and none succeeded.
 */
self_test?: string
/**
 * Refusals that the host itself met: a path or destination, and the rule. What the kernel refuses inside is seen by the handler alone.
 */
denials?: string[]
/**
 * Which connections the network allowed and refused.
 */
connections?: ConnectionSum[]
limits?: ResourceLimits
limits_from?: LimitSources
/**
 * Processor time of all processes of the call.
 */
cpu_ms?: number
peak_memory_bytes?: number
}
/**
 * The server that served the call, if its lifetime is longer than one call.
 */
export interface ServerRecord {
/**
 * What it ends with.
 */
lifetime: ("session" | "task" | "workspace")
/**
 * Which start of the server this is within its lifetime. A call with another grant has another server.
 */
start: number
/**
 * Which call of this start it is.
 */
call: number
/**
 * In the first call of a later start: why the server had ended, and lost its state. changed: a file that it could see was replaced or is hidden now. room: too many servers were waiting.
 */
restarted_after?: ("crash" | "timeout" | "cancellation" | "limit" | "idle" | "changed" | "room")
}
export interface Attestation {
call: AttestedCall
/**
 * Ed25519 by the worker's key, in base64: over the line `lumenflow.attestation.v1`, then `call` as canonical JSON (RFC 8785).
 */
signature: string
}
/**
 * What a worker enforced for a call, as the worker itself observed it.
 */
export interface AttestedCall {
version: 1
receipt_id: string
/**
 * The worker's name.
 */
worker: string
/**
 * The id of the worker's key: name+id.
 */
key: string
/**
 * Of the worker.
 */
lumenflow_version: string
/**
 * What enforced the call on the worker.
 */
backend: string
backend_version: string
tier: ("none" | "dev" | "standard" | "hardened")
/**
 * What the backend guarantees on the worker's machine, as its probe found it.
 */
guarantees: {
[k: string]: "enforced" | "best_effort" | "unsupported" | undefined
}
/**
 * Of the profile that the worker compiled.
 */
profile_digest: string
/**
 * Of the bytes that the worker received as the call.
 */
invocation_digest: string
/**
 * Of the bytes that the worker sent as its output.
 */
output_digest: string
/**
 * UTC, ISO 8601 with milliseconds.
 */
started_at: string
ended_at: Timestamp
}
export interface ConnectionSum {
/**
 * host:port or [address]:port, with /udp after it for a datagram; a name alone was only looked up.
 */
destination: string
/**
 * The entry that it fell under; `full` for a network without entries.
 */
rule?: string
/**
 * The name that the sandbox last looked up for this address.
 */
name?: string
allowed: boolean
attempts: number
bytes_sent: number
bytes_received: number
}
export interface ResourceLimits {
/**
 * Processor time of all its processes, in milliseconds; default 4 hours.
 */
cpu_time_ms?: number
/**
 * Memory of all its processes; default 2 GiB.
 */
memory_bytes?: number
/**
 * Processes and threads at the same time; default 1,024.
 */
processes?: number
/**
 * Open files of each process; default 16,384.
 */
open_files?: number
/**
 * Size of each file that it writes; default 1 GiB.
 */
file_size_bytes?: number
/**
 * Bytes kept of each of stdout and stderr; default 1 MiB.
 */
output_bytes?: number
/**
 * Size of the private /tmp; default 512 MiB.
 */
tmp_bytes?: number
/**
 * Files and directories in the private /tmp and /dev/shm; default 65536.
 */
tmp_files?: number
/**
 * Bytes that a transactional call may write: new files whole, of an existing file what differs; default 4 GiB.
 */
write_bytes?: number
/**
 * Files and directories that a transactional call may make; a directory from which entries are deleted counts once. Default 200,000.
 */
write_files?: number
}
/**
 * What set a limit, by its name: the tool's manifest or the ceiling of workspace.yaml. A limit that is not named has the default.
 */
export interface LimitSources {
[k: string]: LimitSource | undefined
}
/**
 * One tool that a session may call, in one line.
 */
export interface ToolSummary {
id: ToolName
/**
 * The first sentence of its description.
 */
summary: string
/**
 * The part of its id before the colon.
 */
namespace: string
permission: Permission
/**
 * What policy would decide about a call. A rule on arguments can still refuse it.
 */
policy: ("allowed" | "approval_required")
}
/**
 * What a tool does, as detailed as the level that was asked for.
 */
export interface ToolDoc {
id: ToolName
/**
 * The first sentence of its description.
 */
summary: string
/**
 * The part of its id before the colon.
 */
namespace: string
permission: Permission
/**
 * What policy would decide about a call. A rule on arguments can still refuse it.
 */
policy: ("allowed" | "approval_required")
description?: string
/**
 * JSON Schema 2020-12.
 */
input_schema?: {
[k: string]: unknown | undefined
}
/**
 * JSON Schema 2020-12.
 */
output_schema?: {
[k: string]: unknown | undefined
}
pack_id?: string
pack_version?: string
granted_scopes?: GrantedScopes
idempotent?: boolean
timeout_ms?: number
/**
 * Inputs that match the input schema.
 */
examples?: unknown[]
}
export interface ToolNamespace {
namespace: string
/**
 * Number of tools that the session may call.
 */
tools: number
}
/**
 * The result of one call. `value` is the data of the tool; null if it failed or returned none.
 */
export interface ToolRun {
value: unknown
tool_id: string
duration_ms: number
/**
 * The evidence of the call; absent if it never reached the kernel, or could not be recorded.
 */
receipt_id?: string
error?: ToolFailure
}
export interface ToolFailure {
code: string
message: string
details?: {
[k: string]: unknown | undefined
}
}
/**
 * Whether a step runs: without `is`, if the value exists and is neither null, false, 0 nor empty. With `is`, if they are equal.
 */
export interface ChainCondition {
value: ValuePointer
is?: unknown
}
export interface ChainStep {
/**
 * Id of the tool, for example `file:read`.
 */
tool: string
/**
 * Its input. `{"$from": POINTER}` anywhere in it is replaced by an earlier value.
 */
args?: {
[k: string]: unknown | undefined
}
/**
 * Name of its value for later steps; `previous` is reserved.
 */
as?: string
when?: ChainCondition
/**
 * Whether the chain continues if the step fails; default stop.
 */
on_error?: ("stop" | "continue")
/**
 * The previous value, an object, is the input. Keys of `args` replace its keys.
 */
use_previous?: boolean
}
/**
 * Bounds of one chain. A request can only lower them.
 */
export interface ChainLimits {
/**
 * Default 100.
 */
steps?: number
/**
 * Calls that are made; default 100.
 */
tool_calls?: number
/**
 * Default 600,000.
 */
wall_time_ms?: number
/**
 * Of all values together, as JSON in UTF-8; default 10 MiB.
 */
output_bytes?: number
}
/**
 * Calls that run one after the other.
 */
export interface ToolChain {
/**
 * @minItems 1
 * @maxItems 100
 */
steps: [ChainStep, ...(ChainStep)[]]
limits?: ChainLimits
}
export interface ChainStepResult {
tool_id: string
as?: string
/**
 * skipped: its condition was not met. not_run: the chain had ended before.
 */
status: ("succeeded" | "failed" | "skipped" | "not_run")
value?: unknown
duration_ms?: number
receipt_id?: string
error?: ToolFailure
}
/**
 * `value` is that of the last step that succeeded; null if none did.
 */
export interface ChainResult {
value: unknown
steps: ChainStepResult[]
duration_ms: number
error?: ToolFailure
}
/**
 * Bounds of one run. A request can only lower them.
 */
export interface CodeLimits {
/**
 * Calls of tools that the code makes; default 1,000.
 */
tool_calls?: number
/**
 * Includes the calls that the code makes; default 60,000.
 */
wall_time_ms?: number
/**
 * Of the value as JSON, and of each of stdout and stderr, in UTF-8; default 1 MiB.
 */
output_bytes?: number
/**
 * Of the engine in the host's process, at least 16 MiB; default 64 MiB. In a sandbox, the limits of the sandbox apply.
 */
memory_bytes?: number
}
/**
 * Code that calls tools.
 */
export interface CodeRequest {
language: CodeLanguage
code: string
allow?: CodeAllow
limits?: CodeLimits
}
/**
 * One call that the code made, or tried to make.
 */
export interface CodeCall {
tool_id: string
/**
 * running: it had not finished when the code was ended.
 */
status: ("succeeded" | "failed" | "running")
/**
 * The evidence of the call; absent if it never reached the kernel.
 */
receipt_id?: string
duration_ms?: number
error?: ToolFailure
}
/**
 * How much of its limits the code used.
 */
export interface CodeUsed {
tool_calls: number
wall_time_ms: number
/**
 * Of the value as JSON.
 */
output_bytes: number
}
/**
 * What code did. `value`: what it returned, or passed to `result`; null if nothing. The host writes `calls`, `limits` and `used`, so the code cannot forge them.
 */
export interface CodeReport {
value: unknown
stdout: string
stderr: string
/**
 * stdout or stderr exceeded the limit: the rest is dropped.
 */
truncated?: true
calls: CodeCall[]
limits: CodeLimits
used: CodeUsed
}
/**
 * The report of one run of code, with its evidence. The report is empty if the code did not start.
 */
export interface CodeResult {
value: unknown
stdout: string
stderr: string
truncated?: true
calls: CodeCall[]
limits: CodeLimits
used: CodeUsed
duration_ms: number
receipt_id?: string
error?: ToolFailure
}
/**
 * Why a request was not served.
 */
export interface HttpRefusal {
error: ToolFailure
/**
 * The approval that it waits for.
 */
request_id?: string
}
export interface HttpHealth {
status: "ok"
version: string
/**
 * changed: workspace.yaml differs from the file that was loaded, and calls fail until the host restarts.
 */
workspace: ("loaded" | "changed")
}
export interface HttpReadiness {
status: ("ready" | "not_ready")
/**
 * Empty if the server is ready. DRAINING: it is about to end. WORKSPACE_CHANGED: workspace.yaml differs from the file that was loaded, and calls fail until the host restarts. LOG_UNAVAILABLE: no call can be recorded, so none runs.
 */
reasons: ("DRAINING" | "WORKSPACE_CHANGED" | "LOG_UNAVAILABLE")[]
}
/**
 * The owner of the token that asks.
 */
export interface HttpCaller {
name: string
role: ("agent" | "operator" | "admin")
person?: Person
}
export interface HttpSignInOffer {
offered: boolean
}
export interface HttpSignIn {
/**
 * The address at the issuer at which the browser continues.
 */
url: string
}
/**
 * The token of a person who has signed in.
 */
export interface HttpSignedIn {
token: string
name: string
role: ("agent" | "operator" | "admin")
person: Person
expires_at: Timestamp
}
/**
 * A person who has signed in.
 */
export interface HttpPerson {
/**
 * The actor of what the person does.
 */
name: string
person: Person
first_signed_in_at: Timestamp
last_signed_in_at: Timestamp
/**
 * Gap-free, from 1.
 */
signed_out_seq?: number
}
export interface HttpPersonList {
people: HttpPerson[]
}
/**
 * A passkey that signs approvals of a person.
 */
export interface HttpPasskey {
passkey_id: PasskeyId
/**
 * Whose it is.
 */
name: string
person?: Person
/**
 * The person's name for it.
 */
label: string
/**
 * SubjectPublicKeyInfo, DER as base64.
 */
public_key: string
/**
 * The host name that the passkey is bound to.
 */
rp_id: string
/**
 * The address of the dashboard at which it signs.
 */
origin: string
/**
 * Of its newest signature; 0 if it does not count.
 */
sign_count: number
added_at: Timestamp
last_used_at?: Timestamp
removed_at?: Timestamp
removed_by?: string
}
export interface HttpPasskeyList {
/**
 * In the order in which they were added.
 */
passkeys: HttpPasskey[]
/**
 * What a browser needs to create a passkey; absent where none can be created.
 */
enrolment?: {
rp_id: string
/**
 * The only address at which it can be created.
 */
origin: string
/**
 * As base64.
 */
challenge: string
/**
 * As base64.
 */
user_id: string
user_name: string
}
/**
 * Why none can be created here, and what to do.
 */
unavailable?: string
}
/**
 * What a browser needs to sign an approval with a passkey of the caller.
 */
export interface HttpSigning {
/**
 * As base64.
 */
challenge: string
/**
 * Of the caller, each with the only address at which it signs. Empty: the caller must enrol one first.
 */
passkeys: HttpPasskey[]
}
/**
 * The ids that calls of the session name.
 */
export interface HttpSession {
task_id: string
run_id: string
session_id: string
by: string
}
/**
 * One claim of a task.
 */
export interface HttpRun {
/**
 * Of a claim that was just made.
 */
task_id?: string
run_id: string
session_id: string
/**
 * Who claimed.
 */
by: string
claimed_at: Timestamp
/**
 * The claim ends with this process.
 */
process_id?: string
}
export interface HttpTask {
task_id: string
lane_id: string
/**
 * One of a pack's task types; absent for a task of none.
 */
task_type?: string
spec_hash: Sha256
state: TaskState
created_at: Timestamp
/**
 * UTC, ISO 8601 with milliseconds.
 */
amended_at?: string
run?: HttpRun
blocked_reason?: string
cancelled_reason?: string
completed_at?: Timestamp
evidence_refs?: string[]
/**
 * In lists.
 */
title?: string
spec?: TaskSpec
}
/**
 * A piece of work in a lane. Immutable once created.
 */
export interface TaskSpec {
id: Identifier
lane_id: Identifier
/**
 * One of a loaded pack's task_types.
 */
type?: string
title?: string
description?: string
/**
 * What the task may touch, within its lane. Absent: all that the lane allows.
 */
declared_scopes?: Scope[]
/**
 * Further scopes for calls of single tools, by their names. Lane, workspace and tool can leave less.
 */
tool_scopes?: {
[k: string]: Scope[] | undefined
}
/**
 * Tasks that must be done before this one can be claimed.
 */
blocked_by?: Identifier[]
policies?: PolicyLayer
program?: ProgramSource
/**
 * Data of the pack.
 */
metadata?: {
[k: string]: unknown | undefined
}
}
export interface PolicyLayer {
/**
 * deny wins over approval_required, which wins over allow.
 */
default_decision?: ("allow" | "deny" | "approval_required")
/**
 * In any order: all that match are weighed.
 */
rules?: PolicyRule[]
}
export interface PolicyRule {
/**
 * Names the rule in answers and evidence.
 */
id: string
trigger: PolicyTrigger
decision: PolicyOutcome
/**
 * Reported with a call that is denied or has to wait.
 */
reason?: string
/**
 * The requesting session's actor may approve its own call.
 */
self_approval?: boolean
approvers?: Approvers
/**
 * inband: the person at the agent's own client may answer there, which is recorded so. Without it, another person must answer elsewhere.
 */
channel?: "inband"
/**
 * observe: the rule decides nothing. Receipts and events record the decision that there would have been with it.
 */
mode?: "observe"
when?: PolicyMatcher
at_most?: PolicyLimit
/**
 * In a rule of on_tool_result that allows: RE2 patterns whose matches are replaced in what the call returns. A rule that denies withholds all of it.
 */
redact?: (string | [string, ...(string)[]])
/**
 * Example calls, each with the decision that this rule must lead to.
 */
examples?: PolicyExample[]
}
export interface Approvers {
/**
 * Names of persons, and of groups under `approvals` as group:NAME. Default: anyone.
 * 
 * @minItems 1
 */
by?: [string, ...(string)[]]
/**
 * How many different persons must approve; default 1.
 */
count?: number
/**
 * true: each approval must be signed with a passkey of its person, in the dashboard. The signature covers the exact call, and is kept in the evidence.
 */
passkey?: true
}
/**
 * All of the given conditions must be true.
 */
export interface PolicyMatcher {
/**
 * Glob or list of globs over tool names; * stays within one part of domain:verb.
 */
tool?: (string | [string, ...(string)[]])
/**
 * One of these.
 * 
 * @minItems 1
 */
permission?: [("read" | "write" | "admin"), ...(("read" | "write" | "admin"))[]]
time?: TimeMatcher
/**
 * The name of the principal that makes the call, the claim or the completion. On the CLI, the user gives the name.
 */
actor?: (string | [string, ...(string)[]])
/**
 * Where the call came in: one of these.
 * 
 * @minItems 1
 */
surface?: [CallSurface, ...(CallSurface)[]]
/**
 * One of these. operator: the surface authenticated the caller as an operator. person: a call from the CLI or from an embedding program. agent: any other call.
 * 
 * @minItems 1
 */
role?: [CallRole, ...(CallRole)[]]
/**
 * The task's id.
 */
task?: (string | [string, ...(string)[]])
/**
 * The lane's id.
 */
lane?: (string | [string, ...(string)[]])
/**
 * Conditions on the tool's input by JSON pointer.
 */
arguments?: {
[k: string]: ValueMatcher | undefined
}
/**
 * Conditions on execution_metadata by JSON pointer.
 */
metadata?: {
[k: string]: ValueMatcher | undefined
}
/**
 * Path globs over what the call says it reads: inputs with `format: workspace-path`. A rule that restricts matches if one path fits, one that allows only if all do.
 */
reads?: (string | [string, ...(string)[]])
/**
 * Path globs over what the call says it writes. They match as in `reads`.
 */
writes?: (string | [string, ...(string)[]])
/**
 * The call that makes this one, of a call that another tool makes.
 */
caller?: {
/**
 * Its tool.
 */
tool?: (string | [string, ...(string)[]])
/**
 * The id of its pack.
 */
pack?: (string | [string, ...(string)[]])
depth?: ValueMatcher
}
/**
 * The tool is marked as one of these.
 * 
 * @minItems 1
 */
sink?: [ToolSink, ...(ToolSink)[]]
/**
 * true, or globs over tools: the session or the task has called such a tool that is marked `source: untrusted`.
 */
tainted?: (true | string | [string, ...(string)[]])
after?: AfterMatcher
/**
 * true, or globs over tools: the input contains text that such a tool returned in the session or the task. A rule that restricts also matches if what the tool returned is not known.
 */
carries?: (true | string | [string, ...(string)[]])
command?: CommandMatcher
/**
 * Conditions on what the call returns; only in rules of on_tool_result.
 */
output?: {
/**
 * RE2 syntax, unanchored, over each text in a result, an error, progress or a log entry.
 */
regex: string
}
changes?: ChangesMatcher
/**
 * All of these conditions are true.
 * 
 * @minItems 1
 */
all?: [PolicyMatcher, ...(PolicyMatcher)[]]
/**
 * At least one of these conditions is true.
 * 
 * @minItems 1
 */
any?: [PolicyMatcher, ...(PolicyMatcher)[]]
not?: PolicyMatcher
}
/**
 * Hours, weekdays and dates in the local time of a time zone. All of them must match.
 */
export interface TimeMatcher {
/**
 * An IANA time zone.
 */
zone: string
/**
 * Weekdays or ranges of them, such as mon-fri.
 */
days?: (string | [string, ...(string)[]])
/**
 * Ranges of hours; the end does not count. A range over midnight belongs to the day on which it begins.
 */
hours?: (string | [string, ...(string)[]])
/**
 * Dates or ranges of them, including their ends. Without a year, they apply every year.
 */
dates?: (string | [string, ...(string)[]])
}
export interface ValueMatcher {
equals?: unknown
/**
 * One of these.
 * 
 * @minItems 1
 */
in?: [unknown, ...(unknown)[]]
/**
 * A text that one of the globs matches; `/` separates segments.
 */
glob?: (string | [string, ...(string)[]])
/**
 * RE2 syntax, unanchored; runs in linear time.
 */
regex?: string
/**
 * Whether there is a value.
 */
exists?: boolean
/**
 * Less than.
 */
lt?: number
/**
 * At most.
 */
lte?: number
/**
 * More than.
 */
gt?: number
/**
 * At least.
 */
gte?: number
}
/**
 * Such a call was made before, and since then none of those in `without`. In doubt, a rule that restricts matches; `not` and a rule that allows do not.
 */
export interface AfterMatcher {
call: PastCallMatcher
without?: PastCallMatcher
/**
 * Whose calls count.
 */
of: ("session" | "task")
}
export interface PastCallMatcher {
/**
 * Its tool.
 */
tool?: (string | [string, ...(string)[]])
/**
 * Of its tool: one of these.
 * 
 * @minItems 1
 */
permission?: [("read" | "write" | "admin"), ...(("read" | "write" | "admin"))[]]
/**
 * Conditions on its input by JSON pointer. If its record was redacted, they match in a rule that restricts, and do not in one that allows.
 */
arguments?: {
[k: string]: ValueMatcher | undefined
}
}
/**
 * Conditions on a change set. All of them must be true.
 */
export interface ChangesMatcher {
/**
 * At least one changed entry fits one of these.
 */
any?: (EntryMatcher | [EntryMatcher, ...(EntryMatcher)[]])
/**
 * Every changed entry fits one of these.
 */
all?: (EntryMatcher | [EntryMatcher, ...(EntryMatcher)[]])
/**
 * Applies when the call changed more entries than this.
 */
max_files?: number
/**
 * Applies when the files that the call created and modified are larger than this, together.
 */
max_bytes?: number
/**
 * Applies when the lines that the call added to a text file match. Binary files never match; a text above 4 MiB, or beyond 64 MiB in all, always does.
 */
added_text?: {
/**
 * RE2 syntax, unanchored; runs in linear time.
 */
regex: string
}
}
export interface EntryMatcher {
/**
 * Glob or list of globs over the path, and over the path before a rename; ** goes across /.
 */
path?: (string | [string, ...(string)[]])
/**
 * One of these operations.
 * 
 * @minItems 1
 */
op?: [ChangeOp, ...(ChangeOp)[]]
}
/**
 * A call and the decision that this rule must lead to. If it leads to another, the workspace does not load.
 */
export interface PolicyExample {
/**
 * The parts of a call that the rule inspects.
 */
call: {
/**
 * Its tool.
 */
tool?: string
/**
 * Of the tool.
 */
permission?: ("read" | "write" | "admin")
/**
 * When it comes in: ISO 8601 with a time zone.
 */
at?: string
/**
 * The name of its principal.
 */
actor?: string
/**
 * Where it comes in.
 */
surface?: ("agent" | "api" | "cli" | "http" | "mcp")
/**
 * Of its principal.
 */
role?: ("agent" | "person" | "operator")
/**
 * Its task.
 */
task?: string
/**
 * Its lane.
 */
lane?: string
arguments?: unknown
/**
 * Its execution_metadata.
 */
metadata?: {
[k: string]: unknown | undefined
}
/**
 * The call that makes it.
 */
caller?: {
/**
 * Its tool.
 */
tool?: string
/**
 * The id of its pack.
 */
pack?: string
/**
 * Default 1.
 */
depth?: number
}
/**
 * Mark of the tool.
 */
sink?: ("external" | "privileged")
/**
 * Untrusted tools that the session or the task has called.
 */
tainted?: (string | [string, ...(string)[]])
/**
 * What the session and the task did before, oldest first.
 */
before?: {
/**
 * Its tool.
 */
tool: string
/**
 * Of the tool; default read.
 */
permission?: ("read" | "write" | "admin")
/**
 * How it ended; default success.
 */
result?: ("success" | "failure")
/**
 * Its input.
 */
arguments?: {
[k: string]: unknown | undefined
}
}[]
/**
 * Those of them whose text the input contains.
 */
carries?: (string | [string, ...(string)[]])
/**
 * For a rule with `at_most`: what counts already. Default 0.
 */
used?: number
/**
 * Paths that it reads; by default those that `arguments` name.
 */
reads?: (string | [string, ...(string)[]])
/**
 * Paths that it writes; by default those that `arguments` name.
 */
writes?: (string | [string, ...(string)[]])
/**
 * A text that it returns, for rules of on_tool_result.
 */
output?: string
/**
 * What it changed, for rules of on_changes.
 * 
 * @minItems 1
 */
changes?: [ExampleChange, ...(ExampleChange)[]]
}
/**
 * Whether the rule applies to the call: its own decision, or no_match.
 */
expect: ("allow" | "deny" | "approval_required" | "no_match")
}
export interface ExampleChange {
/**
 * Relative to the workspace root.
 */
path: string
op: ChangeOp
/**
 * The path before a rename.
 */
from?: string
/**
 * Size of the file afterwards.
 */
bytes?: number
/**
 * The lines that were added.
 */
added_text?: string
}
/**
 * A program that a task runs, as it was checked. Immutable like the task.
 */
export interface ProgramSource {
/**
 * The identity of the person or program that started it, and of its calls.
 */
by: string
person?: Person
/**
 * Where it was started. Its calls have this surface, even after it is resumed.
 */
surface: ("agent" | "api" | "cli" | "http" | "mcp")
/**
 * The session that started it and reads what it returns: taint of one is taint of the other.
 */
from_session?: string
/**
 * For messages.
 */
file: string
/**
 * YAML or JSON.
 */
text: string
inputs: {
[k: string]: unknown | undefined
}
limits?: ProgramLimits
/**
 * A person approves the program before its first call.
 */
approved_as_whole?: true
}
/**
 * Bounds of one run. A program and a request can only lower them.
 */
export interface ProgramLimits {
/**
 * Steps that are begun; default 10,000.
 */
steps?: number
/**
 * Calls that are made; default 1,000.
 */
tool_calls?: number
/**
 * Without the time between a stop and its resumption; default 3,600,000.
 */
wall_time_ms?: number
/**
 * Of the values of all calls together, as JSON in UTF-8; default 10 MiB.
 */
output_bytes?: number
/**
 * Of steps within steps; default 16.
 */
depth?: number
/**
 * Calls at the same time; default 16.
 */
parallel?: number
}
export interface HttpTaskPage {
tasks: HttpTask[]
/**
 * On all pages.
 */
total: number
/**
 * `after` of the next page; absent on the last.
 */
next_after?: string
/**
 * Tasks of the principal in `without_by`.
 */
left_out?: number
}
export interface HttpEventList {
/**
 * Oldest first.
 */
events: KernelEvent[]
}
export interface HttpTool {
name: ToolName
pack_id: string
pack_version: string
description: string
permission: Permission
/**
 * JSON Schema 2020-12.
 */
input_schema?: {
[k: string]: unknown | undefined
}
/**
 * JSON Schema 2020-12.
 */
output_schema?: {
[k: string]: unknown | undefined
}
required_scopes?: Scope[]
idempotent?: boolean
internal_only?: boolean
/**
 * What would be decided, where a task or a lane was asked about.
 */
decision?: ("allow" | "approval_required")
granted_scopes?: GrantedScopes
policy_decisions?: PolicyDecisions
}
export interface HttpToolList {
tools: HttpTool[]
}
export interface HttpToolSearch {
/**
 * Best match first.
 */
tools: ToolSummary[]
}
export interface HttpNamespaceList {
namespaces: ToolNamespace[]
}
/**
 * A call's value, and where it ran.
 */
export interface HttpToolRun {
value: unknown
tool_id: string
duration_ms: number
receipt_id?: string
error?: ToolFailure
/**
 * The approval that the call waits for.
 */
request_id?: string
/**
 * Of the session that was made for the call.
 */
task_id?: string
run_id?: string
session_id?: string
}
export interface HttpProgramList {
/**
 * Newest first.
 */
programs: ProgramRunSummary[]
}
export interface ProgramRunSummary {
run_id: string
name: string
/**
 * The person or program that started it.
 */
by: string
task_state: TaskState
lane_id: string
created_at: string
}
/**
 * The results of a chain's steps, and where it ran.
 */
export interface HttpChainResult {
value: unknown
steps: ChainStepResult[]
duration_ms: number
error?: ToolFailure
/**
 * The approval that a step waits for.
 */
request_id?: string
/**
 * Of the session that was made for the chain.
 */
task_id?: string
run_id?: string
session_id?: string
}
/**
 * The report of one run of code, and where it ran.
 */
export interface HttpCodeResult {
value: unknown
stdout: string
stderr: string
truncated?: true
calls: CodeCall[]
limits: CodeLimits
used: CodeUsed
duration_ms: number
receipt_id?: string
error?: ToolFailure
/**
 * The approval that the run waits for.
 */
request_id?: string
/**
 * Of the session that was made for the run.
 */
task_id?: string
run_id?: string
session_id?: string
}
/**
 * A call's output, and where it ran.
 */
export interface HttpCall {
success: boolean
data?: unknown
error?: ToolFailure
metadata?: ToolOutputMetadata
/**
 * The approval that the call waits for.
 */
request_id?: string
/**
 * Of the session that was made for the call.
 */
task_id?: string
run_id?: string
session_id?: string
}
export interface ToolOutputMetadata {
receipt_id?: string
artifacts_written?: string[]
[k: string]: unknown | undefined
}
/**
 * What policy and scopes decide about each tool in a lane before any input is known.
 */
export interface HttpPolicyMatrix {
lane_id: string
tools: HttpPolicyCell[]
}
export interface HttpPolicyCell {
tool_name: string
pack_id: string
permission: Permission
decision: PolicyOutcome
deciding?: PolicyDecision
failure?: ToolFailure
/**
 * Rules that look at the input and govern the tool: with some input they decide more strictly.
 */
input_rules: string[]
}
/**
 * How often each rule of the workspace, its lanes and packs matched recorded calls.
 */
export interface HttpRuleHits {
/**
 * Calls that were read, the newest first.
 */
calls: number
/**
 * False if the window has more calls than are read.
 */
is_complete: boolean
rules: HttpRuleHit[]
}
export interface HttpRuleHit {
rule_id: string
layer: PolicyLayerName
/**
 * The id of the workspace, the lane or the pack.
 */
of: string
trigger: PolicyTrigger
decision: PolicyOutcome
/**
 * Calls that it matched.
 */
matched: number
/**
 * Of these, calls that got its decision.
 */
decided: number
/**
 * The newest call that it matched.
 */
receipt_id?: string
}
/**
 * What would become of a call, and why.
 */
export interface HttpExplanation {
tool_name: string
decision: PolicyOutcome
failure?: ToolFailure
granted_scopes?: GrantedScopes
policy?: HttpPolicyExplanation
policy_decisions: PolicyDecisions
/**
 * What does not match the input schema.
 */
input_issues: HttpIssue[]
/**
 * The workspace paths that the input names, and whether the call may touch them.
 */
paths: HttpPathVerdict[]
on_changes: PolicyDecisions4
on_result: PolicyDecisions5
execution_mode?: ("pool" | "sandbox" | "service" | "kernel")
}
export interface HttpPolicyExplanation {
decision: PolicyOutcome
deciding: PolicyDecision
decisions: PolicyDecisions1
warnings: HttpPolicyWarning[]
observed?: ObservedPolicy
/**
 * Limits that the call counts toward.
 */
counted?: CountedUse[]
/**
 * Whether the requesting actor may approve.
 */
self_approval: boolean
/**
 * Whether an answer in the asking conversation counts.
 */
inband?: boolean
held_by: PolicyDecisions2
trace: HttpLayerTrace[]
/**
 * Sentences for a person, the nearest change first.
 */
would_change: string[]
}
export interface HttpPolicyWarning {
rule_id: string
layer: PolicyLayerName
decision: PolicyOutcome
where?: string
message: string
}
export interface HttpLayerTrace {
layer: PolicyLayerName
/**
 * Whether the layer's rules may lift its own default.
 */
authority: boolean
decisions: PolicyDecisions
rejected: PolicyDecisions3
/**
 * deny wins over approval_required, which wins over allow.
 */
decision: ("allow" | "deny" | "approval_required")
}
export interface HttpIssue {
pointer: string
message: string
}
export interface HttpPathVerdict {
/**
 * Into the input.
 */
pointer: string
/**
 * Canonical.
 */
path: string
/**
 * Where its links lead.
 */
leads_to?: string
/**
 * What may be done there.
 */
access: ("read" | "write" | "none")
/**
 * Why no more than that.
 */
refusal?: {
path: string
access: ("read" | "write")
layer?: string
/**
 * file:line:column
 */
where?: string
message: string
help: string
}
}
export interface HttpNotification {
/**
 * The id of the receiver in workspace.yaml.
 */
receiver: string
/**
 * waiting: no attempt has ended. failed: another attempt follows. given_up: none does.
 */
outcome: ("waiting" | "delivered" | "failed" | "given_up")
/**
 * requested, reminder-1, reminder-2 and so on, or closed.
 */
occasion?: string
/**
 * UTC, ISO 8601 with milliseconds.
 */
at?: string
attempt?: number
/**
 * UTC, ISO 8601 with milliseconds.
 */
retry_at?: string
/**
 * The status of the answer, or why there was none.
 */
detail?: string
}
export interface HttpApproval {
request_id: string
/**
 * SHA-256 over the canonical subject: the very call, claim or completion that may pass.
 */
binding: string
subject: ApprovalSubject
input_ref?: string
/**
 * Whose session asked.
 */
requested_by: string
requested_at: Timestamp
expires_at: Timestamp
rules: PolicyDecisions
self_approval: boolean
/**
 * Whether an answer in the asking conversation counts.
 */
inband?: boolean
state: ("pending" | "approved" | "rejected" | "used" | "expired" | "withdrawn")
/**
 * Approvals so far, of a request that may need several.
 */
answers?: {
by: string
person?: Person
at: Timestamp
reason?: string
/**
 * The credential id of WebAuthn, as base64url.
 */
passkey_id?: string
}[]
/**
 * Approvals that a pending request still needs, by rule.
 */
missing?: {
rule_id: string
count: number
/**
 * Of these persons; absent: of any.
 */
by?: string[]
/**
 * Signed with a passkey.
 */
passkey?: true
}[]
resolved_by?: string
resolved_by_person?: Person
resolved_at?: Timestamp
reason?: string
/**
 * inband: answered in the conversation that asked. link: by a signed link.
 */
channel?: ("inband" | "link")
/**
 * Ids of the links by which it was answered.
 */
used_links?: string[]
/**
 * The receipt or run that it let through.
 */
used_by?: string
withdrawn_by?: string
withdrawn_at?: Timestamp
withdrawn_reason?: string
/**
 * The request that asks for the same call, since what it would do has changed.
 */
superseded_by?: string
/**
 * What would be applied, where one approval of changes is asked for by its id.
 */
changes?: HttpFileDiff[]
/**
 * How receivers were notified, where one approval is asked for by its id: the newest attempt for each receiver.
 */
notifications?: HttpNotification[]
signing?: HttpSigning
preview?: ApprovalPreview
/**
 * What the call would do, where one approval is asked for by its id and its tool has a preview.
 */
preview_output?: {
[k: string]: unknown | undefined
}
/**
 * In lists: the path that the call names, or its first text, shortened.
 */
input_summary?: string
/**
 * The arguments of the call, where one approval is asked for by its id.
 */
input?: {
[k: string]: unknown | undefined
}
explanation?: HttpExplanation
}
/**
 * One changed entry. Without hunks its note says why no lines are shown.
 */
export interface HttpFileDiff {
/**
 * Relative to the workspace root.
 */
path: string
op: ChangeOp
/**
 * The path before a rename.
 */
from?: string
note?: string
hunks?: HttpDiffHunk[]
}
export interface HttpDiffHunk {
/**
 * Line number, from 1.
 */
before_start: number
/**
 * Line number, from 1.
 */
after_start: number
/**
 * Each begins with a space, + or -; a backslash begins a remark.
 */
lines: string[]
}
/**
 * Changes that were not applied when their call ended.
 */
export interface HttpKeptChanges {
/**
 * Of the call that made them.
 */
receipt_id: string
/**
 * parked: a person is asked. settling: a process applies or discards them. conflict: others changed the same paths. failed: they could not be applied.
 */
state: ("parked" | "settling" | "applied" | "discarded" | "conflict" | "failed")
/**
 * The request that a person answers.
 */
request_id?: string
settled_by?: string
settled_by_person?: Person
settled_at?: Timestamp
/**
 * Paths that are not as they were.
 */
conflicts?: string[]
reason?: string
}
export interface HttpKeptChangesPage {
changes: HttpKeptChanges[]
/**
 * On all pages.
 */
total: number
/**
 * `after` of the next page; absent on the last.
 */
next_after?: string
}
/**
 * What a call changed, and what became of it.
 */
export interface HttpChanges {
receipt_id: string
tool_name: string
/**
 * Now; `recorded.state` is what it was when the call ended.
 */
state: ("applied" | "parked" | "settling" | "discarded" | "conflict" | "failed" | "merged")
recorded: RecordedChanges
settled_by?: string
settled_by_person?: Person
settled_at?: Timestamp
reason?: string
/**
 * Receipt of the newest call that took these changes back.
 */
reverted_by?: string
/**
 * Paths that are not as they were.
 */
conflicts?: string[]
files: HttpFileDiff[]
}
export interface HttpApprovalPage {
approvals: HttpApproval[]
/**
 * On all pages.
 */
total: number
/**
 * `after` of the next page; absent on the last.
 */
next_after?: string
}
/**
 * All that was recorded of one call.
 */
export interface HttpReceipt {
receipt_id: string
started: ToolCallStarted
progress: ToolCallProgress[]
finished?: ToolCallFinished
}
export interface HttpReceiptPage {
/**
 * Newest first.
 */
receipts: HttpReceipt[]
/**
 * `before_seq` of the next page; absent on the last.
 */
next_before_seq?: number
/**
 * Of a search: the number of calls that were compared with it.
 */
searched?: number
/**
 * Of a search: matching calls of the principal in `without_by`.
 */
left_out?: number
}
export interface HttpVerifyReport {
status: ("verified" | "tampered" | "truncated" | "unsigned_tail" | "empty" | "blob_missing" | "unattested" | "unapproved" | "unwitnessed")
records: number
blobs: number
/**
 * References to contents that were redacted; each is a finding, too.
 */
redacted: number
/**
 * References to contents that a rule of `retention` deleted.
 */
expired: number
/**
 * References to contents that a loss of power took; each is a finding, too.
 */
lost: number
/**
 * RFC 6962 root over all records.
 */
root: string
/**
 * Covered by the newest valid signed checkpoint.
 */
signed_records: number
/**
 * Approvals with a valid signature of a passkey that was enrolled then.
 */
signed_approvals: number
/**
 * The C2SP verifier key of the newest checkpoint's signer.
 */
verifier_key?: string
/**
 * Every key that signed a checkpoint over the records, in order of first use.
 */
signers: {
/**
 * C2SP verifier key.
 */
verifier_key: string
checkpoints: number
/**
 * Covered by the newest of these checkpoints.
 */
records: number
}[]
/**
 * The required witnesses; empty if none are required.
 */
witnesses: {
/**
 * Of its verifier key.
 */
name: string
/**
 * C2SP verifier key.
 */
verifier_key: string
/**
 * Covered by the newest checkpoint with its cosignature; 0 if there is none.
 */
records: number
cosigned_at?: Timestamp
}[]
/**
 * Covered by a checkpoint that as many witnesses as required cosigned; absent if none are required.
 */
witnessed_records?: number
/**
 * What is wrong, first finding first.
 */
findings: string[]
}
export interface HttpCheckpoint {
/**
 * A C2SP tlog-checkpoint as a signed note.
 */
checkpoint: string
}
export interface HttpMinutes {
/**
 * The newest minutes that had calls, oldest first.
 */
minutes: HttpMinute[]
/**
 * Calls that were started and have not ended.
 */
open: number
evidence_records: number
}
export interface HttpMinute {
/**
 * Its start, such as 2026-01-31T12:05Z.
 */
minute: string
calls: number
denied: number
approval_required: number
failed: number
/**
 * Half of the calls took no longer.
 */
p50_ms?: number
p95_ms?: number
}
export interface HttpLane {
spec: LaneSpec
/**
 * Tasks that count toward the WIP limit: active or blocked, and not of a session that ends with its process.
 */
in_progress: number
}
export interface LaneSpec {
/**
 * The lane's name.
 */
id: string
/**
 * For people.
 */
title?: string
/**
 * What calls in the lane may touch at most.
 */
allowed_scopes: Scope[]
/**
 * How many tasks of the lane may be active or blocked at the same time. Tasks of sessions that end with their process do not count.
 */
wip_limit?: number
/**
 * transactional: all calls in the lane that may write. direct: calls of tools that declare `writes: direct`.
 */
writes?: ("direct" | "transactional")
/**
 * The tools that agents in the lane see in lists; `*` matches any characters within one part of a name. Default: all. The kernel's own tools are always listed. This is not a permission: a tool that is not listed can still be called by name, so use a rule to forbid it.
 * 
 * @minItems 1
 * @maxItems 1000
 */
offers?: [string, ...(string)[]]
sandbox?: LaneSandbox
policies?: PolicyLayer
}
export interface LaneSandbox {
/**
 * The stronger of this profile and that of `security.sandbox` applies.
 */
profile: ("standard" | "hardened")
}
export interface HttpLaneList {
workspace_id: string
/**
 * Of the workspace: no lane gets beyond them.
 */
allowed_scopes: Scope[]
lanes: HttpLane[]
}
export interface HttpPack {
id: string
version: string
/**
 * Of the files that are loaded.
 */
integrity: string
source: string
trust: string
description?: string
task_types: string[]
/**
 * What tasks of the pack's types show for a state.
 */
state_aliases: {
[k: string]: string | undefined
}
tools: HttpPackTool[]
}
export interface HttpPackTool {
name: ToolName
description: string
permission: Permission
required_scopes: Scope[]
}
export interface HttpPackList {
packs: HttpPack[]
}
export interface HttpSandbox {
report: HttpDoctorReport
warm_pool?: HttpWarmPool
}
/**
 * What a sandbox can enforce on this machine, as its backends were probed.
 */
export interface HttpDoctorReport {
platform: string
user: ("root" | "ordinary")
checks: HttpDoctorCheck[]
tier: ("none" | "dev" | "standard" | "hardened")
backends: HttpProbeReport[]
}
export interface HttpDoctorCheck {
name: string
ok: boolean
detail: string
/**
 * What to do, when it is not ok.
 */
fix?: string
}
export interface HttpProbeReport {
available: boolean
backend: string
tier?: ("none" | "dev" | "standard" | "hardened")
version?: string
guarantees?: {
[k: string]: "enforced" | "best_effort" | "unsupported" | undefined
}
/**
 * What another installation would enforce better.
 */
gaps?: HttpSandboxProblem[]
problem?: HttpSandboxProblem
}
export interface HttpSandboxProblem {
message: string
help: string
retryable?: true
}
/**
 * Sandboxes that were started ahead.
 */
export interface HttpWarmPool {
spares: number
starting: number
spare_memory_bytes: number
hits: number
misses: number
refills: number
discarded: number
}
export interface ListedResource {
/**
 * Its address, without the part of the tool's `uri` before `{+name}`.
 */
uri: string
/**
 * Its name for people.
 */
name: string
/**
 * What it contains.
 */
description?: string
/**
 * The MIME type of its contents.
 */
mime_type?: string
}
export interface PackManifest {
/**
 * The pack's name.
 */
id: string
/**
 * Semver of the pack. A pin must name the same version.
 */
version: string
/**
 * Version of the format of this file.
 */
manifest_version: 1
/**
 * What the pack is for, in a sentence.
 */
description?: string
/**
 * What the pack runs on.
 */
engines?: {
/**
 * Semver range of the host.
 */
lumenflow?: string
}
/**
 * Types of tasks that the pack's rules govern.
 * 
 * @minItems 1
 */
task_types: [Identifier, ...(Identifier)[]]
/**
 * What can be called.
 */
tools: ToolDeclaration[]
/**
 * More files of the pack that declare tools, relative to the manifest: their tools follow those under `tools`, file by file. All that they name is relative to the manifest, too.
 */
tool_files?: string[]
/**
 * Rules for the pack's own tools and task types; they can only tighten.
 */
policies?: PolicyRule[]
/**
 * Kinds of evidence that the pack's tools record, for readers: `lumenflow pack show` lists them.
 */
evidence_types?: Identifier[]
/**
 * Names that tasks of the pack's types show for states. The states themselves do not change.
 */
state_aliases?: {
[k: string]: Identifier | undefined
}
/**
 * Where the pack's own state is kept, relative to the workspace: `.` and the pack's id. Default a folder of the pack's under .lumenflow. No tool's scopes reach it, only ctx.state.
 */
state_folder?: string
/**
 * Lanes to copy into workspace.yaml: `lumenflow pack show` prints them.
 */
lane_templates?: LaneSpec[]
/**
 * The pack's root key in workspace.yaml.
 */
config_key?: string
/**
 * JSON Schema file of the pack's config, relative to the manifest.
 */
config_schema?: string
/**
 * A function that derives network entries and required_env of tools from the config.
 */
capability_factory?: string
/**
 * A function that derives rules from the config.
 */
policy_factory?: string
/**
 * domain:verb, or a bare verb.
 */
claim_check?: string
catalogue?: Catalogue
/**
 * Former names of tools, and the tools that replace them. A call of a former name fails with the new one. A tool that is internal_only now can keep its name.
 */
renamed?: {
[k: string]: RenamedTool | undefined
}
/**
 * domain:verb, or a bare verb.
 */
config_suggestion?: string
/**
 * domain:verb, or a bare verb.
 */
completion_check?: string
}
export interface ToolDeclaration {
name: ToolName
/**
 * What it does, for agents and people.
 */
description: string
handler_entry: HandlerEntry
/**
 * in_process: asks for the thread pool (granted when the pin says trust: in_process). Default subprocess: the sandbox.
 */
handler?: ("in_process" | "subprocess")
permission: Permission
/**
 * All that it may ever touch; workspace, lane and task can leave less. Default nothing.
 */
required_scopes?: Scope[]
/**
 * Tools that it calls with wider scopes than its own. A call that a tool makes gets no more than its caller was granted; these scopes are added to that for this tool. Part of what is approved of the pack.
 * 
 * @minItems 1
 * @maxItems 100
 */
calls?: [DeclaredCall, ...(DeclaredCall)[]]
/**
 * Variables of the host's environment that it gets; without them it does not run.
 */
required_env?: string[]
/**
 * JSON Schema 2020-12 of the input.
 */
input_schema?: {
[k: string]: unknown | undefined
}
/**
 * JSON Schema 2020-12 of the output's data.
 */
output_schema?: {
[k: string]: unknown | undefined
}
/**
 * Only other tools can call it.
 */
internal_only?: boolean
/**
 * A tool may also call it after the caller itself has completed, blocked or released the task, in the run that ended. Calls from outside still need an active task.
 */
after_task?: boolean
/**
 * operator: people and programs that operate the workspace. Agents are not offered the tool and cannot call it. host: the host calls the tool on behalf of an agent. Lists omit it. Default everyone: the catalogue decides.
 */
audience?: ("everyone" | "operator" | "host")
/**
 * domain:verb, or a bare verb.
 */
preview?: string
/**
 * A second identical call has no further effect, so a client may retry.
 */
idempotent?: boolean
/**
 * Milliseconds that a call may take; default 60,000.
 */
timeout_ms?: number
limits?: ResourceLimits
writes?: Writes
/**
 * untrusted: it returns text that others wrote, such as web pages, mail or issues. A call of it taints the session and the task. Default of MCP servers and services; workspace.yaml can say otherwise.
 */
source?: "untrusted"
/**
 * external: what it is given leaves the workspace. privileged: it changes what others rely on, such as a configuration or a release. Rules match it.
 */
sink?: ("external" | "privileged")
/**
 * Names state of the pack that outlives tasks, such as a memory. A tainted call with permission write or admin taints it, and it taints the sessions and tasks that call one of its tools.
 */
store?: string
mcp?: McpOffer
/**
 * Guarantees that the tool's sandbox must enforce beyond the profile. Calls do not run on a backend that does not enforce them, nor on the thread pool.
 * 
 * @minItems 1
 */
needs?: [NeededGuarantee, ...(NeededGuarantee)[]]
/**
 * `task`: calls of one task may share a sandbox, and with it what earlier ones left in memory, in /tmp and in the background; only where they can write nothing else. Default `never`.
 */
sandbox_reuse?: ("never" | "task")
}
export interface DeclaredCall {
tool: ToolName
/**
 * What the called tool may touch for this one; workspace, lane, task and the called tool itself can leave less.
 * 
 * @minItems 1
 */
scopes: [Scope, ...(Scope)[]]
}
/**
 * Which of the pack's tools agents are offered: those of the sets and patterns under the key `tools` of the pack's config. People and other tools can call all of them.
 */
export interface Catalogue {
/**
 * The set of a config without `tools`, or `all` or `none`.
 */
default: string
/**
 * Names and patterns of tools; `*` matches any characters within one part of a name.
 */
sets: {
/**
 * @minItems 1
 * @maxItems 1000
 */
[k: string]: [string, ...(string)[]] | undefined
}
}
export interface RenamedTool {
/**
 * domain:verb, or a bare verb.
 */
tool: string
/**
 * What the input contains for the same effect.
 */
input?: {
[k: string]: unknown | undefined
}
}
/**
 * A file named under `tool_files`.
 */
export interface ToolFile {
/**
 * What can be called.
 */
tools: ToolDeclaration[]
}
/**
 * What the pins of workspace.yaml resolved to, and the terms of tools that were approved.
 */
export interface PacksLock {
lock_version: 1
packs: {
[k: string]: LockedPack | undefined
}
}
export interface LockedPack {
version: string
source: ("local" | "npm" | "git" | "mcp" | "openapi" | "grpc")
/**
 * What the pin asked for: a folder, package@version, a tarball, url#ref, a server's command, or a service's document and servers.
 */
from: string
/**
 * What the pin resolved to. source git: the commit. source npm: the SHA-512 of the package, as npm writes it. source mcp: the SHA-256 of the server's description of itself, its tools, and the prompts and resources that the pin uses. sources openapi and grpc: the SHA-256 of the service's document.
 */
resolved?: string
/**
 * Over what is loaded of the pack, as in a pin.
 */
integrity: string
/**
 * Over all files as they were fetched; absent for folders that somebody else keeps.
 */
files?: string
approved_by?: Identifier
approved_at?: string
/**
 * The terms that were approved, by the tool's name.
 */
tools: {
[k: string]: LockedTool | undefined
}
}
export interface LockedTool {
/**
 * SHA-256 of the terms as canonical JSON.
 */
digest: string
terms: ToolTerms
}
/**
 * What an agent reads about a tool, and what the tool requires.
 */
export interface ToolTerms {
description: string
permission: Permission
required_scopes?: Scope[]
calls?: DeclaredCall[]
required_env?: string[]
preview?: ToolName
/**
 * With the files that it refers to embedded.
 */
input_schema?: {
[k: string]: unknown | undefined
}
/**
 * With the files that it refers to embedded.
 */
output_schema?: {
[k: string]: unknown | undefined
}
/**
 * The resources that it reads.
 */
lists?: ListedResource[]
}
export interface WorkspacePolicyLayer {
/**
 * deny wins over approval_required, which wins over allow.
 */
default_decision?: ("allow" | "deny" | "approval_required")
/**
 * Layers whose rules and defaults may loosen what an outer layer decided.
 */
allow_loosening?: LooseningLayerName[]
sets?: PolicySets
/**
 * Which tools return what others wrote, and which send or change what matters. They replace what manifests say; of several entries that fit a tool, the last one decides.
 * 
 * @maxItems 1000
 */
marks?: ToolMark[]
/**
 * Files with more sets and rules of this layer, relative to the workspace root. No tool can write them.
 * 
 * @minItems 1
 * @maxItems 100
 */
include?: [string, ...(string)[]]
/**
 * In any order: all that match are weighed.
 */
rules?: PolicyRule[]
}
/**
 * Lists of globs; a rule names one as $NAME.
 */
export interface PolicySets {
/**
 * @minItems 1
 * @maxItems 10000
 */
[k: string]: [string, ...(string)[]] | undefined
}
export interface ToolMark {
/**
 * Glob or list of globs over tool names.
 */
tool: (string | [string, ...(string)[]])
/**
 * untrusted: its calls taint the session and the task. trusted: they do not.
 */
source?: ("untrusted" | "trusted")
/**
 * external: what it is given leaves the workspace. privileged: it changes what others rely on. none: neither.
 */
sink?: ("external" | "privileged" | "none")
}
/**
 * A file with sets and rules of the workspace layer, which `policies.include` names.
 */
export interface PolicyFile {
sets?: PolicySets1
/**
 * They follow those of workspace.yaml.
 */
rules?: PolicyRule[]
}
/**
 * As in workspace.yaml, and known there too.
 */
export interface PolicySets1 {
/**
 * @minItems 1
 * @maxItems 10000
 */
[k: string]: [string, ...(string)[]] | undefined
}
export interface PolicySets2 {
/**
 * @minItems 1
 * @maxItems 10000
 */
[k: string]: [string, ...(string)[]] | undefined
}
/**
 * A checked, durable composition of calls. In texts, `${…}` is replaced by the value of a CEL expression.
 */
export interface Program {
name: Identifier
/**
 * What it does, for people.
 */
description?: string
/**
 * JSON Schemas of its inputs, by name. An input without a `default` is required. Steps read `inputs.NAME`.
 */
inputs?: {
[k: string]: {
[k: string]: unknown | undefined
} | undefined
}
limits?: ProgramLimits
/**
 * @minItems 1
 * @maxItems 200
 */
steps: [ProgramStep, ...(ProgramStep)[]]
}
/**
 * Exactly one of `let`, `call`, `if`, `switch`, `foreach`, `parallel`, `try`, `retry`, `timeout`, `wait_for_approval` and `return`.
 */
export interface ProgramStep {
/**
 * Values by name.
 */
let?: {
[k: string]: unknown | undefined
}
/**
 * Id of a tool, for example `file:read`.
 */
call?: string
/**
 * Its input.
 */
args?: {
[k: string]: unknown | undefined
}
/**
 * Name of the value of a call, or of the list of what each iteration of a `foreach` collects.
 */
as?: string
if?: Expression
/**
 * @minItems 1
 * @maxItems 200
 */
then?: [ProgramStep, ...(ProgramStep)[]]
/**
 * @minItems 1
 * @maxItems 200
 */
else?: [ProgramStep, ...(ProgramStep)[]]
switch?: Expression
/**
 * @minItems 1
 * @maxItems 50
 */
cases?: [ProgramCase, ...(ProgramCase)[]]
/**
 * @minItems 1
 * @maxItems 200
 */
default?: [ProgramStep, ...(ProgramStep)[]]
/**
 * A CEL expression, for example `size(log.commits) > 0`.
 */
foreach?: string
/**
 * Name of the current item.
 */
item?: string
/**
 * Maximum number of items; a longer list is a failure.
 */
max?: number
collect?: unknown
/**
 * Lists of steps that run at the same time. Of a `foreach`: the number of items that do.
 */
parallel?: (number | [[ProgramStep, ...(ProgramStep)[]], ...([ProgramStep, ...(ProgramStep)[]])[]])
/**
 * @minItems 1
 * @maxItems 200
 */
try?: [ProgramStep, ...(ProgramStep)[]]
/**
 * Steps for a failure of `try`, whose `error` has a `code`, a `message` and the failed `step`.
 * 
 * @minItems 1
 * @maxItems 200
 */
catch?: [ProgramStep, ...(ProgramStep)[]]
/**
 * Steps that run last in both cases.
 * 
 * @minItems 1
 * @maxItems 200
 */
finally?: [ProgramStep, ...(ProgramStep)[]]
/**
 * Number of attempts at `steps`, all of whose tools must be idempotent.
 */
retry?: number
/**
 * Time before another attempt; default 0.
 */
delay_ms?: number
/**
 * Milliseconds in which `steps` must end.
 */
timeout?: number
/**
 * @minItems 1
 * @maxItems 200
 */
steps?: [ProgramStep, ...(ProgramStep)[]]
/**
 * What a person approves. The program ends here if the person rejects it.
 */
wait_for_approval?: string
return?: unknown
}
export interface ProgramCase {
is: unknown
/**
 * @minItems 1
 * @maxItems 200
 */
steps: [ProgramStep, ...(ProgramStep)[]]
}
export interface ProgramProblem {
code: string
severity: ("error" | "warning")
message: string
/**
 * file:line:column.
 */
where: string
pointer?: string
help?: string
}
/**
 * A call that a program may make, and what policy says of it.
 */
export interface ProgramCall {
step: string
tool_id: string
/**
 * file:line:column.
 */
where: string
/**
 * A rule on arguments decides when they are known, so it can still refuse the call.
 */
policy: ("allowed" | "approval_required" | "denied")
reason?: string
}
/**
 * What is wrong with a program, and what it could do.
 */
export interface ProgramCheck {
name?: string
problems: ProgramProblem[]
calls: ProgramCall[]
/**
 * Number of calls if every loop takes all its items.
 */
calls_max: number
scopes: GrantedScopes
}
/**
 * One execution of a step.
 */
export interface ProgramStepRecord {
/**
 * JSON pointer into the program. `[N]` follows a step that repeats others: the number of the item or attempt, from 0.
 */
step: string
kind: string
state: ("running" | "waiting" | "ambiguous" | "succeeded" | "failed")
tool_id?: string
receipt_id?: string
/**
 * The approval that it waits for.
 */
request_id?: string
error?: ToolFailure
}
/**
 * One run of a program, from its task and its evidence. `value` is what it returned; null if it has not.
 */
export interface ProgramRun {
/**
 * Also the id of its task and of its session.
 */
run_id: string
name: string
/**
 * The person or program that started it.
 */
by: string
state: ProgramRunState
value: unknown
inputs: {
[k: string]: unknown | undefined
}
/**
 * In the order in which they began.
 */
steps: ProgramStepRecord[]
/**
 * Requests that it waits for.
 */
approvals?: string[]
error?: ToolFailure
}
export interface BindMount {
/**
 * Absolute path on the host.
 */
source: string
/**
 * Absolute path inside.
 */
target: string
}
export interface DenyOverlay {
/**
 * Absolute path inside, hidden.
 */
path: string
kind: ("file" | "directory")
}
/**
 * What a sandboxed call may touch; compiled from its granted scopes, never wider than them.
 */
export interface SandboxProfile {
readonly_bind_mounts: BindMount[]
writable_bind_mounts: BindMount[]
network_posture: NetworkPosture
network_allowlist: string[]
deny_overlays: DenyOverlay[]
/**
 * Every variable the sandbox starts with; secrets are not among them.
 */
env: {
[k: string]: string | undefined
}
limits: ResourceLimits
/**
 * Name of the system call filter.
 */
syscalls: ("standard" | "none")
}
export interface ToolSuccess {
success: true
data?: unknown
error?: never
metadata?: ToolOutputMetadata
}
export interface ToolRefusal {
success: false
data?: unknown
error: ToolFailure
metadata?: ToolOutputMetadata
}
export interface WireInvoke {
type: "invoke"
invocation: Invocation
}
/**
 * One call, as its handler's home receives it.
 */
export interface Invocation {
protocol: 1
tool_name: string
/**
 * Absolute path of the built module, # and the export.
 */
handler_entry: string
input: unknown
scope_enforced: GrantedScopes
receipt_id: string
task_id: string
run_id: string
session_id: string
lane_id: string
principal?: CallPrincipal
workspace_root: string
config: unknown
/**
 * Only the tool's required_env.
 */
env: {
[k: string]: string | undefined
}
/**
 * Milliseconds since the epoch.
 */
deadline?: number
}
/**
 * The principal of a call. A nested call has its caller's principal.
 */
export interface CallPrincipal {
name: string
/**
 * Where the call came in: cli, http, mcp, agent or api.
 */
surface: string
/**
 * The surface knows the principal for an operator of the workspace.
 */
is_operator?: true
/**
 * The approval of a person that let this call through.
 */
approval_request_id?: string
}
export interface WireResult {
type: "result"
output: ToolOutput
}
export interface WireProgress {
type: "progress"
payload: unknown
}
export interface WireLog {
type: "log"
level: LogLevel
message: string
fields?: {
[k: string]: unknown | undefined
}
}
/**
 * The handler asks the host for something that only the host may do.
 */
export interface WireRequest {
type: "request"
id: number
method: RequestMethod
params: {
[k: string]: unknown | undefined
}
}
export interface WireResponse {
type: "response"
id: number
value?: unknown
error?: ToolFailure
}
export interface WireCancel {
type: "cancel"
reason: string
}
/**
 * A runner has started and loaded what it was asked to load, so it can run an invocation immediately.
 */
export interface WireReady {
type: "ready"
}
/**
 * The handler's module was imported, and the handler starts. A call that ends at its time limit before that was delayed by the import.
 */
export interface WireLoaded {
type: "loaded"
}
/**
 * What a workspace allows. Each loaded pack adds one root key to these: its config_key.
 */
export interface WorkspaceSpec {
/**
 * The workspace's name in evidence.
 */
id: string
/**
 * For people.
 */
name?: string
/**
 * Whose tools there are.
 */
packs: PackPin[]
/**
 * Boundaries of work.
 * 
 * @minItems 1
 */
lanes: [LaneSpec, ...(LaneSpec)[]]
security: WorkspaceSecurity
policies?: WorkspacePolicyLayer
approvals?: ApprovalSettings
evidence?: EvidenceSettings
state?: StateSettings
archive?: ArchiveSettings
retention?: RetentionSettings
sign_in?: SignInSettings
engine?: EngineSettings
[k: string]: unknown | undefined
}
/**
 * Names of variables of the host's environment.
 */
export interface ServiceCredential {
/**
 * An API key, or a bearer token.
 */
token?: string
/**
 * HTTP Basic.
 */
username?: string
/**
 * HTTP Basic.
 */
password?: string
/**
 * OAuth 2 client credentials.
 */
client_id?: string
/**
 * OAuth 2 client credentials.
 */
client_secret?: string
}
/**
 * A tool of an MCP server or a service. This entry, not the server, decides what it may do. By default it can access no files. A service's tool reaches the service's servers.
 */
export interface UpstreamTool {
permission: Permission
/**
 * All that its calls may ever touch; workspace, lane and task can leave less. Default nothing.
 */
required_scopes?: Scope[]
/**
 * Variables of the host's environment that the server gets.
 */
required_env?: string[]
/**
 * A second identical call has no further effect.
 */
idempotent?: boolean
/**
 * Milliseconds that a call may take, the server's start included; default 60,000.
 */
timeout_ms?: number
limits?: ResourceLimits
}
export interface WorkspaceSecurity {
/**
 * The outermost scope layer.
 */
allowed_scopes: Scope[]
/**
 * off: no network. allowlist: the listed entries only. full: everything but host loopback, link-local and metadata addresses.
 */
network_default?: ("off" | "allowlist" | "full")
/**
 * Patterns of files that programs outside the sandbox obey, in addition to the built-in list. A tool can write such a file only through a scope that names it.
 */
trusted_paths?: string[]
/**
 * Patterns of paths that are removed from every grant and hidden in the sandbox.
 */
deny_overlays?: string[]
/**
 * Tools that may write directly in every lane, if their manifests declare `writes: direct`; `*` matches any characters within one part of a name.
 * 
 * @maxItems 1000
 */
direct_writes?: string[]
sandbox?: SandboxSettings
packs?: PackSecurity
}
export interface SandboxSettings {
profile?: SecurityTier
/**
 * The backend of sandboxed calls, or several in order of preference. LumenFlow uses the first that works on this machine and reaches the tier. Default: bubblewrap on Linux, seatbelt on macOS, wasm for tools that are WebAssembly modules.
 */
backend?: (SandboxBackendName | [SandboxBackendName, ...(SandboxBackendName)[]])
backends?: SandboxBackendOptions
limits?: LimitCeilings
}
export interface SandboxBackendOptions {
bubblewrap?: BubblewrapOptions
runc?: ContainerOptions
crun?: ContainerOptions
gvisor?: ContainerOptions
vm?: VmOptions
firecracker?: FirecrackerOptions
docker?: EngineOptions
podman?: EngineOptions
containerd?: ContainerdOptions
kata?: KataOptions
remote?: RemoteOptions
"proxmox-lxc"?: ProxmoxLxcOptions
kubernetes?: KubernetesOptions
}
export interface BubblewrapOptions {
/**
 * Absolute path of bwrap. Default: the first on the PATH of the host.
 */
program?: string
}
export interface ContainerOptions {
/**
 * Absolute path of the runtime. Default: the first in the directories of the system.
 */
program?: string
}
export interface VmOptions {
/**
 * Absolute path of QEMU. Default: the first qemu-system-x86_64 in the directories of the system.
 */
program?: string
/**
 * Debian packages that are installed on the host, and whose programs guests have too. The usual ones, such as coreutils, bash and git, are always included.
 */
packages?: string[]
}
export interface FirecrackerOptions {
/**
 * Absolute path of Firecracker. Default: the first firecracker in the directories of the system.
 */
program?: string
/**
 * Absolute path of its jailer. Default: the first jailer in the directories of the system.
 */
jailer?: string
/**
 * Debian packages that are installed on the host, and whose programs guests have too. The usual ones, such as coreutils, bash and git, are always included.
 */
packages?: string[]
}
export interface EngineOptions {
/**
 * Absolute path of the engine's socket. Default: that of the user's own engine, else that of the machine.
 */
socket?: string
/**
 * Id of the image of the containers. It must contain a shell, and prlimit and Node at the paths that they have on this machine. LumenFlow never pulls images. Default: an image that LumenFlow builds from this machine's programs.
 */
image?: string
}
export interface ContainerdOptions {
socket?: ContainerdSocket
/**
 * What containerd starts containers with. gvisor: io.containerd.runsc.v1, which gives them a separate kernel. Default: runc.
 */
runtime?: ("runc" | "crun" | "gvisor")
}
export interface KataOptions {
socket?: ContainerdSocket
}
export interface RemoteOptions {
/**
 * Written by `lumenflow workers add`.
 */
workers: RemoteWorker[]
/**
 * Keys that workers had before. Attestations of calls that ended until then stay valid.
 */
former_keys?: {
key: VerifierKey
/**
 * UTC, ISO 8601 with milliseconds.
 */
until: string
}[]
}
export interface RemoteWorker {
/**
 * How messages and receipts name the worker.
 */
name: string
/**
 * Address of the worker, without a path.
 */
url: string
/**
 * What `lumenflow worker key` prints on the worker.
 */
key: string
/**
 * PEM file with the certificate authority of the worker's certificate. A relative path starts at the workspace. Default: the authorities that Node trusts.
 */
ca?: string
/**
 * PEM file with the certificate that this host presents to a worker with `--client-ca`. A relative path starts at the workspace.
 */
client_cert?: string
/**
 * PEM file with the private key of `client_cert`. Keep it outside the workspace.
 */
client_key?: string
}
export interface ProxmoxLxcOptions {
/**
 * Address of the API of Proxmox VE.
 */
url: string
/**
 * The SHA-256 fingerprint of the certificate of the server, or the absolute path of the certificate of its authority in PEM format.
 */
certificate: string
/**
 * The variable of the host's environment that contains the API token, as USER@REALM!TOKENID=SECRET.
 */
token: string
/**
 * The node that runs the containers.
 */
node: string
/**
 * The resource pool that contains the template and the containers. The token needs rights in this pool alone.
 */
pool: string
/**
 * Id of the container that calls get copies of: a template, or a container with a snapshot. It must be unprivileged, without mount points, and with a worker in it.
 */
template: number
/**
 * Name of the snapshot that is copied. Default: the container itself, which must be a template.
 */
snapshot?: string
/**
 * A public key: name+id+key.
 */
worker_key: string
/**
 * Containers that run at the same time; further calls wait. Default 8.
 */
containers_max?: number
/**
 * Containers that stay started for later calls. Each is rolled back to a snapshot after a call. Default 2; 0 copies a container for each call.
 */
containers_kept?: number
}
export interface KubernetesOptions {
/**
 * Context of the kubeconfig of the host's user. Default: the current one; inside a cluster, that cluster.
 */
context?: string
/**
 * Namespace of the Pods. Default: lumenflow.
 */
namespace?: string
/**
 * Image of the Pods, by digest, as the nodes pull it. It must contain /bin/sh and Node; the runner image of LumenFlow does.
 */
image?: string
/**
 * RuntimeClass of the Pods, such as one of gVisor or of Kata Containers. Default: that of the cluster.
 */
runtime_class?: string
/**
 * SandboxWarmPool of agent-sandbox that calls claim their Pods from, in place of an image.
 */
warm_pool?: string
/**
 * Labels that the nodes of the Pods must have, each as `key=value`.
 * 
 * @minItems 1
 */
node_selector?: [string, ...(string)[]]
}
/**
 * Ceilings for all calls. A tool's higher limit is lowered to the ceiling; a tool without a limit gets the ceiling instead of the default.
 */
export interface LimitCeilings {
/**
 * Processor time, in milliseconds.
 */
cpu_time_ms?: number
/**
 * Memory of all processes of a call.
 */
memory_bytes?: number
/**
 * Processes and threads at the same time.
 */
processes?: number
/**
 * Open files of each process.
 */
open_files?: number
/**
 * Size of each file that a call writes.
 */
file_size_bytes?: number
/**
 * Bytes kept of each of stdout and stderr.
 */
output_bytes?: number
/**
 * Size of the private /tmp.
 */
tmp_bytes?: number
/**
 * Files and directories in a call's private file systems.
 */
tmp_files?: number
/**
 * What a transactional call may write.
 */
write_bytes?: number
/**
 * Paths that a transactional call may change.
 */
write_files?: number
/**
 * Time of a call, in milliseconds; applies to the thread pool too.
 */
timeout_ms?: number
}
/**
 * Which packs may be loaded, and when a person must review their tools first.
 */
export interface PackSecurity {
/**
 * Refuses packs without a valid signature by a trusted key, dev packs too.
 */
require_signature?: boolean
/**
 * Public keys as `lumenflow pack keygen` prints them: name+id+key.
 */
trusted_keys?: VerifierKey[]
/**
 * New or changed tools of dev packs also wait for `lumenflow pack approve`. Default: they are only reported.
 */
approve_dev?: boolean
}
export interface ApprovalSettings {
/**
 * Persons by the name of their group; rules name it as group:NAME.
 */
groups?: {
/**
 * @minItems 1
 */
[k: string]: [Identifier, ...(Identifier)[]] | undefined
}
/**
 * The address at which people open the dashboard, for links in notifications; default `sign_in.url`.
 */
url?: string
/**
 * Signed links by which people answer a request without signing in. They need `url`; a workspace with `sign_in` has none.
 */
links?: {
/**
 * Environment variable with the key of all hosts: at least 32 random bytes as base64.
 */
key_env: string
/**
 * How long a link can be used; default 24.
 */
hours?: number
}
/**
 * How long a request can be answered and used: s, m, h or d; default 7d.
 */
expires_after?: string
/**
 * How long after a request without an answer receivers are reminded.
 * 
 * @minItems 1
 */
remind_after?: [Period, ...(Period)[]]
/**
 * Receivers of HTTP messages and e-mail about requests.
 * 
 * @minItems 1
 */
notify?: [NotificationReceiver, ...(NotificationReceiver)[]]
/**
 * Requests of one session that may wait for an answer at the same time; default 20. A call that would ask for one more is refused.
 */
max_pending_per_session?: number
}
export interface EmailReceiver {
/**
 * The sender.
 */
from: string
/**
 * The recipients. All of them see this list.
 * 
 * @minItems 1
 * @maxItems 50
 */
to: [EmailAddress, ...(EmailAddress)[]]
/**
 * Environment variable with the name for the mail server.
 */
user_env?: string
/**
 * Environment variable with the password for the mail server.
 */
password_env?: string
}
export interface EvidenceSettings {
durability?: Durability
/**
 * Environment variable with the Ed25519 private key (PKCS #8, base64) that signs checkpoints.
 */
checkpoint_key_env?: string
witnesses?: WitnessSettings
}
export interface WitnessSettings {
/**
 * How many of the witnesses must cosign a checkpoint; default all of them.
 */
required?: number
/**
 * The witnesses. Each of them implements C2SP tlog-witness, such as `lumenflow evidence witness serve`.
 * 
 * @minItems 1
 * @maxItems 16
 */
servers: [WitnessServer]|[WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]|[WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer, WitnessServer]
}
export interface WitnessServer {
/**
 * The address to which the witness's protocol adds `/add-checkpoint`.
 */
url: string
/**
 * The verifier key of the witness, `name+id+key`, which the witness prints when it starts.
 */
key: string
}
export interface StateSettings {
/**
 * files: in `.lumenflow/kernel`, for the hosts of one machine. postgres: in PostgreSQL, for hosts on several machines; it needs the package @lumenflow/integration-postgres.
 */
kind: ("files" | "postgres")
/**
 * Environment variable with the address of the database, such as `postgresql://user:password@server/database`; default LUMENFLOW_DATABASE_URL.
 */
url_env?: string
/**
 * The schema of the database that has this workspace's records; default `lumenflow`.
 */
schema?: string
/**
 * How long a host may be unseen before the others end its calls; default 10,000.
 */
lease_ms?: number
}
export interface ArchiveSettings {
/**
 * A folder, such as `file:/mnt/archive/shop`, or a bucket with a prefix, such as `s3://evidence/shop`. Each workspace needs its own. A bucket needs the package @lumenflow/integration-s3.
 */
location: string
/**
 * The address of the S3 server; default that of AWS.
 */
endpoint?: string
/**
 * The region of the bucket; default AWS_REGION, or else us-east-1.
 */
region?: string
/**
 * What is archived without --older-than; default 90d.
 */
older_than?: string
}
export interface RetentionSettings {
/**
 * Inputs, outputs, logs and changed files of calls are deleted when their records are older. Records, hashes and signatures remain.
 */
contents?: string
}
export interface SignInSettings {
/**
 * The address of the OpenID Connect issuer, exactly as in its `iss`. It must be https, except on loopback.
 */
issuer: string
/**
 * The id under which LumenFlow is registered at the issuer.
 */
client_id: string
/**
 * Environment variable with the client's secret. Absent: a public client, which PKCE alone protects.
 */
client_secret_env?: string
/**
 * The address at which people open the dashboard, without a path; default the address of the request. The issuer must know URL/signed-in as a redirect URI.
 */
url?: string
/**
 * What is requested of the issuer; default openid, profile and email.
 */
scopes?: string[]
/**
 * The claim with the person's name, which is recorded as the actor; default preferred_username. With email, the issuer must have verified the address.
 */
name_claim?: string
/**
 * A name NAME@DOMAIN of this domain is recorded as NAME. Names of other domains are rejected.
 */
name_domain?: string
/**
 * The claim with the names of the person's groups; default groups.
 */
groups_claim?: string
/**
 * The groups whose members have each role. The highest role counts. A person in none of them cannot sign in.
 */
roles: {
agent?: GroupNames
operator?: GroupNames1
admin?: GroupNames2
}
/**
 * scim: only people that the identity provider has provisioned over SCIM, and not deactivated, can sign in. Default: all people with a role.
 */
directory?: "scim"
/**
 * scim: groups that the identity provider has provisioned decide the role, at each request. It needs `directory`. Default: the claim at the sign-in.
 */
groups_from?: "scim"
/**
 * Hours after which a person has to sign in again; default 12.
 */
max_hours?: number
}
export interface EngineSettings {
/**
 * embedded: the process that starts or resumes a program, with the records of the workspace alone. restate: workers that take runs from a Restate server; it needs the package @lumenflow/integration-restate. temporal: the same with a Temporal server, and @lumenflow/integration-temporal.
 */
kind: ("embedded" | "restate" | "temporal")
/**
 * restate: where the server accepts runs; default `http://127.0.0.1:8080`.
 */
ingress_url?: string
/**
 * restate: where the server is administered: workers register there, and runs are looked up; default `http://127.0.0.1:9070`.
 */
admin_url?: string
/**
 * The name of this workspace at the server, unique among its workspaces; default `lumenflow`.
 */
namespace?: string
/**
 * restate: public keys of the server: workers refuse requests that none of them signed. Default: they accept all.
 * 
 * @minItems 1
 */
identity_keys?: [string, ...(string)[]]
/**
 * temporal: HOST:PORT of the server's front end; default `127.0.0.1:7233`.
 */
address?: string
/**
 * temporal: the namespace at the server, which must exist; default `default`.
 */
server_namespace?: string
/**
 * temporal: environment variable with the API key. The connection then uses TLS.
 */
api_key_env?: string
/**
 * temporal: uses TLS. All properties are optional: absolute paths of PEM files.
 */
tls?: {
/**
 * The authority of the server; default those of the machine.
 */
ca?: string
/**
 * The certificate of this client.
 */
cert?: string
/**
 * Its private key.
 */
key?: string
}
}

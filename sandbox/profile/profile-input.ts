// The input and output of compiling a sandbox profile.
import type {GrantedScopes, ResourceLimits, SandboxProfile} from '@lumenflow/schemas';
import type {HostFiles} from './host-files.ts';

/** Compiles the text of one pattern (literals, `?`, `*`, `**`; no braces) to a test of workspace-relative paths. */
export type PatternCompiler = (pattern: string) => (path: string) => boolean;

export interface ProfileInput {
  /** Absolute, with every symlink resolved. */
  readonly workspaceRoot: string;
  readonly grant: GrantedScopes;
  /**
   * Workspace-relative patterns, or `~/…` literals, hidden regardless of the grant. `.lumenflow`, `.env` and credential stores
   * always are.
   */
  readonly denyOverlays: readonly string[];
  /** Hidden too: absolute, with every symlink resolved. These are paths and never patterns, with any characters. */
  readonly hiddenFolders?: readonly string[];
  /** Workspace-relative patterns of files that are trusted in addition to those of every workspace. */
  readonly trustedPaths?: readonly string[];
  /** The person's home directory, where credential stores lie. */
  readonly home: string;
  /** What the sandbox needs read-only, regardless of the grant: runner, Node, the pack's bundle. Absolute, resolved. */
  readonly runtimePaths: readonly string[];
  readonly limits: ResourceLimits;
  /** Added to the base environment. No secrets: those travel in the invocation. */
  readonly env: Readonly<Record<string, string>>;
  readonly compilePattern: PatternCompiler;
  readonly files: HostFiles;
  /** Maximum number of directory entries to inspect; default: far beyond any project. */
  readonly entriesMax?: number;
}

/** A path that no mount can protect, because it does not exist, or is a symlink. It is checked again after the call. */
export interface WatchedPath {
  readonly path: string;
  /** The target of the symlink; undefined if nothing existed. */
  readonly link: string | undefined;
}

/** What is hidden even if it does not exist yet. */
export interface HiddenRules {
  /** Paths to hide that need no search: absolute. */
  readonly literals: readonly string[];
  /** Patterns of workspace-relative paths, including everything below a match. */
  readonly patterns: readonly string[];
}

export interface CompiledProfile {
  readonly profile: SandboxProfile;
  /** sha256:<hex> over the profile's canonical JSON. */
  readonly digest: string;
  readonly workspaceRoot: string;
  readonly watched: readonly WatchedPath[];
  /** All that is hidden or trusted where the call may write: absolute. What is new among it afterwards, the call has planted. */
  readonly guarded: readonly string[];
  /** What is obeyed because something else names it: targets of trusted symlinks, hooks that git's configuration names. Absolute. */
  readonly obeyed: readonly string[];
  /** The rules behind the profile's overlays: a backend that decides by path also hides what is made during the call. */
  readonly hiddenRules: HiddenRules;
  /** Granted paths that are not mounted, and why. */
  readonly skipped: readonly {readonly pattern: string; readonly reason: string}[];
}

// What the handler in the sandbox gets.
import type {CodeLanguage} from '@lumenflow/schemas';

export interface SandboxedCode {
  /** JavaScript for TypeScript too: its types were removed. */
  readonly language: CodeLanguage;
  readonly code: string;
  readonly output_bytes: number;
  readonly wall_time_ms: number;
}

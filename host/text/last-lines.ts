// The end of what a program printed, where it usually says why it failed.

const linesMax = 8;

export function lastLines(printed: string | undefined): string | undefined {
  return printed?.trimEnd().split('\n').slice(-linesMax).join('\n');
}

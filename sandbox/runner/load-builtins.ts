// What most handlers import of Node, loaded while a spare waits: the loader of ES modules and these take longer than many a
// handler runs.
const specifiers: readonly string[] = [
  'node:fs',
  'node:fs/promises',
  'node:path',
  'node:os',
  'node:url',
  'node:util',
  'node:crypto',
  'node:child_process',
];

/** Through a separate module: only then does Node link them as it will for a handler. */
export async function loadBuiltins(): Promise<void> {
  const text = specifiers.map((specifier) => `import '${specifier}';`).join('');
  await import(`data:text/javascript,${encodeURIComponent(text)}`);
  // Each is opened on first use, which is at the end of every call.
  void process.stdout;
  void process.stderr;
}

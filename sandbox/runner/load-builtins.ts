// Loads the Node modules that most handlers import while a spare waits. Loading the ES module loader and these takes longer than
// many handlers run.
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

/** Import them through a separate module: only then does Node link them as it will for a handler. */
export async function loadBuiltins(): Promise<void> {
  const text = specifiers.map((specifier) => `import '${specifier}';`).join('');
  await import(`data:text/javascript,${encodeURIComponent(text)}`);
  // Each is opened on first use, which would otherwise be at the end of every call.
  void process.stdout;
  void process.stderr;
}

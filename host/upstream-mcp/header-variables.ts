// The variables of the host's environment in a server's headers.
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/gu;

type Headers = Readonly<Record<string, string | undefined>>;

export function headerVariables(headers: Headers = {}): readonly string[] {
  const names = Object.values(headers).flatMap((text = '') =>
    Array.from(text.matchAll(variable), ([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** Every variable is in the environment: otherwise the host does not run the call. */
export function fillHeaders(headers: Headers, env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([header, text = '']) => [
      header,
      text.replaceAll(variable, (_, name: string) => env[name] ?? ''),
    ]),
  );
}

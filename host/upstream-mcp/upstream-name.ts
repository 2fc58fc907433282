// Encodes the names of a server's tools. Tools are named `domain:verb` in lower-case letters, digits and `-`; most servers use
// `read_file`, some `read-file`. `_` becomes `-` and `-` becomes `--`. Any other character, and any of these beside another,
// becomes `---<hex>-`. The encoding is reversible.

/**
 * `read_file` of the pack `fs` as `fs:read-file`. Undefined for a name without an encoding: it is too long, or does not start
 * with a letter.
 */
export function toToolName(pack: string, name: string): string | undefined {
  const portable = name.replaceAll(/[^a-z0-9]+/gu, nameOfSigns);
  const whole = `${pack}:${portable}`;
  return /^[a-z]/u.test(portable) && whole.length <= 64 ? whole : undefined;
}

/** No encoded name of a tool begins so: after a letter come at most three dashes. */
const promptMark = 'prompt----';

/** `summarize` of the pack `fs` as `fs:prompt----summarize`. Undefined for a name without an encoding. */
export function toPromptName(pack: string, name: string): string | undefined {
  const whole = toToolName(pack, name)?.replace(':', `:${promptMark}`);
  return whole !== undefined && whole.length <= 64 ? whole : undefined;
}

/** The tool that reads the resources of a pack. */
export function resourceToolName(pack: string): string {
  return `${pack}:resource----read`;
}

/** The server's own name of `fs:read-file`. */
export function fromToolName(tool: string): string {
  const portable = tool.slice(tool.indexOf(':') + 1);
  return portable.replaceAll(/---([0-9a-f]+)-|--|-/gu, (dashes: string, hex: string | undefined) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return dashes === '-' ? '_' : '-';
  });
}

function nameOfSigns(signs: string): string {
  if (signs === '_') return '-';
  if (signs === '-') return '--';
  return Array.from(signs, (sign) => `---${(sign.codePointAt(0) ?? 0).toString(16)}-`).join('');
}

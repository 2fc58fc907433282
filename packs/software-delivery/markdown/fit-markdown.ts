// Markdown within a size limit. Every section gets its first item before any gets its second, long items are cut, and omitted
// items are counted.
export interface Section {
  readonly heading: string;
  /** Most important first. */
  readonly items: readonly string[];
  /** Default: a bulleted list. `text` means paragraphs. */
  readonly as?: 'list' | 'text';
}

/** `bytesMax` is UTF-8 bytes, at least 1024. */
export function fitMarkdown(title: string, sections: readonly Section[], bytesMax: number): string {
  const filled = sections.filter(({items}) => items.length > 0);
  // One item takes at most a third, so that every section gets space.
  const written = filled.map((section) => section.items.map((item) => writeItem(section, item, bytesMax / 3)));
  const heading = `# ${cutText(oneLine(title), 200)}\n`;
  const taken = filled.map(() => 0);
  const render = (): string =>
    filled.reduce((text, section, at) => {
      const items = (written[at] ?? []).slice(0, taken[at]);
      const more = section.items.length - items.length;
      return `${text}\n## ${cutText(oneLine(section.heading), 80)}\n\n${items.join('')}${more === 0 ? '' : `- … ${more} more\n`}`;
    }, heading);
  for (let round = 0; written.some((items) => items.length > round); round += 1) {
    for (const [at, items] of written.entries()) {
      if (taken[at] !== round || items.length <= round) continue;
      taken[at] = round + 1;
      if (byteLength(render()) > bytesMax) taken[at] = round;
    }
  }
  return render();
}

function writeItem({as = 'list'}: Section, item: string, bytesMax: number): string {
  if (as === 'text') return `${cutText(item.trim(), bytesMax)}\n`;
  return `- ${cutText(item.trim(), bytesMax).replaceAll('\n', '\n  ')}\n`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** Cut to a number of UTF-8 bytes, between characters, with an ellipsis. */
export function cutText(text: string, bytesMax: number): string {
  if (byteLength(text) <= bytesMax) return text;
  const room = Math.floor(bytesMax) - byteLength('…');
  let cut = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, room));
  cut = cut.replace(/\uFFFD+$/u, '');
  return `${cut.trimEnd()}…`;
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

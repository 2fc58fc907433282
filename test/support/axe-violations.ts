// Accessibility problems that axe finds on a page.
import axe from 'axe-core';
import type {Page} from 'playwright-core';

export async function axeViolations(page: Page): Promise<readonly string[]> {
  // Run by the browser's debugger, so that the page's policy stays as strict as it is.
  await page.evaluate(axe.source);
  const found = await page.evaluate('axe.run(document, {resultTypes: ["violations"]})');
  return (found as axe.AxeResults).violations.map(({id, nodes}) => `${id}: ${nodes[0]?.html ?? ''}`);
}

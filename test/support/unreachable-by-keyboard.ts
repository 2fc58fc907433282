// What of a page a person cannot get to with the Tab key alone, or cannot see to have got to.
import type {Page} from 'playwright-core';

const pressesMax = 300;

/** In the page: what takes part in it and is shown now. */
const takesFocus =
  `[...document.querySelectorAll('a[href], button:enabled, input, select, textarea, summary, [tabindex="0"]')]` +
  `.filter((element) => element.checkVisibility({checkVisibilityCSS: true}))`;

/** Gives the elements as they are written. */
export async function unreachableByKeyboard(page: Page): Promise<readonly string[]> {
  await page.evaluate(`document.querySelectorAll('[data-walked]').forEach(({dataset}) => delete dataset.walked)`);
  // Between the last element and the first, the browser itself may have the focus.
  for (let presses = 0; presses < pressesMax; presses += 1) {
    await page.keyboard.press('Tab');
    const isAround = await page.evaluate<boolean>(`(() => {
      const element = document.activeElement;
      if (element === document.body) return false;
      if (element.dataset.walked !== undefined) return true;
      const {outlineStyle, outlineWidth} = getComputedStyle(element);
      element.dataset.walked = outlineStyle !== 'none' && outlineWidth !== '0px' ? 'seen' : 'unseen';
      return false;
    })()`);
    if (isAround) break;
  }
  return await page.evaluate<readonly string[]>(
    `${takesFocus}.filter(({dataset}) => dataset.walked !== 'seen').map(({outerHTML}) => outerHTML.slice(0, 200))`,
  );
}

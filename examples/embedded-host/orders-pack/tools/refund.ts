import {defineTool, ToolError} from '@lumenflow/pack-sdk';

/** Refunds change the order book, which only the order desk's program has. That program runs this tool itself. */
export const refund = defineTool({
  run() {
    throw new ToolError('ORDER_BOOK_CLOSED', 'only the order desk can refund: run the tool through its program');
  },
});

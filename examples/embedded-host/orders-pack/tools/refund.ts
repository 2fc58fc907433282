import {defineTool, ToolError} from '@lumenflow/pack-sdk';

/** Refunds change the order book, which only the order desk's own program holds; it answers this tool itself. */
export const refund = defineTool({
  run() {
    throw new ToolError('ORDER_BOOK_CLOSED', 'refunds are given by the order desk: run them through its program');
  },
});

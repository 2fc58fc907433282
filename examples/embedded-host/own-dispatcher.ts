// Runs `orders:refund` in this program, which has the order book. All other tools run in the host's pool and sandbox.
import type {HostDispatcher} from '@lumenflow/host';
import type {Dispatcher} from '@lumenflow/kernel';
import type {OrderBook} from './order-book.ts';

const ownTool = 'orders:refund';

export function createOwnDispatcher(host: HostDispatcher, book: OrderBook): Dispatcher {
  return {
    modeOf: (tool, writes) => (tool.name === ownTool ? 'pool' : host.modeOf(tool, writes)),
    async dispatch(request) {
      if (request.tool.name !== ownTool) return await host.dispatch(request);
      // Validated against the manifest's input_schema before.
      const {order, amount} = request.input as {order: string; amount: number};
      const left = book.refund(order, amount);
      if (left !== undefined) return {output: {success: true, data: {order, left}}};
      const message = `order \`${order}\` has less than ${amount} left to refund`;
      return {output: {success: false, error: {code: 'NOT_THAT_MUCH_LEFT', message}}};
    },
    close: () => host.close(),
  };
}

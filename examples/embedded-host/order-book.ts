// The application's own data: the amount of each order that is not refunded yet.
export interface OrderBook {
  /** Returns the rest of the order; undefined if the order does not exist or has less than that left. */
  refund(order: string, amount: number): number | undefined;
}

export function openOrderBook(costs: Readonly<Record<string, number>>): OrderBook {
  const left = new Map(Object.entries(costs));
  return {
    refund(order, amount) {
      const rest = (left.get(order) ?? 0) - amount;
      if (rest < 0) return undefined;
      left.set(order, rest);
      return rest;
    },
  };
}

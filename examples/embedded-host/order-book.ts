// The application's own data: what each order cost, and what of it was not given back yet.
export interface OrderBook {
  /** Gives what is left of the order; undefined when there is no such order or less than that is left. */
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

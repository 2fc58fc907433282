// Tells a listener. What it throws is not the failure of what it hears of: it surfaces as a rejection nobody handles.

export function notifyListener<T>(listener: (reported: T) => void, reported: T): void {
  try {
    listener(reported);
  } catch (error) {
    void Promise.reject(error);
  }
}

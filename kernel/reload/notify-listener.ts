// Tells a listener. What it throws is not the failure of what it hears of: it surfaces as a rejection nobody handles.

export function notifyListener<T>(listener: (told: T) => void, told: T): void {
  try {
    listener(told);
  } catch (error) {
    void Promise.reject(error);
  }
}

/** Between two stretches of work of the request thread, for what else waits for it. */
export const othersRun = () => new Promise<void>((resolve) => setImmediate(resolve))

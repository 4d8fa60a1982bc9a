/** The limits on memory that `npm start` and `npm run demo` pass to Node; see server/run.mjs. */
export const MEMORY_FLAGS = [
  '--max-old-space-size=512',
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
]

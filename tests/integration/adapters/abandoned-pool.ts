/** A server that dies while a task of a stranger runs in circles. Prints the id of the process that runs it. */
import { createProcessPool } from '#server/adapters/pdf-work/process-pool.ts'

const worker = new URL('./hostile-tasks.ts', import.meta.url)
const pool = createProcessPool({ processes: 1, env: {}, worker })
const { signal } = new AbortController()
const pid = await pool.run({}, { name: 'pidOf', signal })
void pool.run({}, { name: 'loop', signal }).catch(() => undefined)
process.stdout.write(`${pid}\n`)

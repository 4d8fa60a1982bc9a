import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { mutatedFile } from '#tests/attacks/mutator.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { createOracle, type Doubtful, examine } from './oracle.ts'

/*
 * Makes, verifies and draws the files whose numbers the parent sends, and answers with the counts.
 */

export type Work = { seed: number }
/** The numbers of the files. */
export type Order = readonly number[]
export type Counts = {
  made: number
  /** Called VALID. */
  valid: number
  /** Called VALID, with something behind the signature, and not the same bytes as another file. */
  drawn: number
  /** For each reader, the numbers of the files that it opened neither as signed nor whole. */
  unread: Record<string, number[]>
}
export type Found = {
  number: number
  name: string
  differences: readonly string[]
  file: Uint8Array
}
export type Answer = { counts: Counts; found: readonly Found[] }

const { seed } = workerData as Work
const policy = await testPolicy()
const draw = createOracle()
const seen = new Set<string>()

parentPort?.on('message', async (order: Order) => parentPort?.postMessage(await answerTo(order)))
parentPort?.postMessage('ready')

async function answerTo(numbers: Order): Promise<Answer> {
  const counts: Counts = { made: 0, valid: 0, drawn: 0, unread: {} }
  const doubtful: (Doubtful & { number: number })[] = []
  for (const number of numbers) {
    const { name, file } = await mutatedFile(seed, number)
    const examined = examine(name, file, policy)
    counts.made++
    if (examined.report.verdict !== 'VALID') continue
    counts.valid++
    if (examined.doubtful && isFirst(file)) doubtful.push({ ...examined.doubtful, number })
  }
  const drawn = await draw(doubtful)
  counts.drawn = drawn.length
  for (const [at, { unread }] of drawn.entries())
    for (const reader of unread)
      counts.unread[reader] = [...(counts.unread[reader] ?? []), doubtful[at]!.number]
  const found = drawn.flatMap(({ name, file, differences }, at) =>
    differences.length === 0 ? [] : [{ number: doubtful[at]!.number, name, file, differences }],
  )
  return { counts, found }
}

/** Whether these bytes were not seen in this thread. */
function isFirst(file: Uint8Array): boolean {
  const digest = createHash('sha256').update(file).digest('hex')
  const isNew = !seen.has(digest)
  seen.add(digest)
  return isNew
}

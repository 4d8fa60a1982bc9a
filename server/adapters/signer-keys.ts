import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Problem } from '#server/domain/problem.ts'
import { type Duration, seconds } from '#server/domain/time.ts'
import type { SignerKeys } from '#server/ports/signer-keys.ts'
import type { OpeningTask } from './signer-keys/open.ts'

/** The slowest file that is not refused takes half of it. */
const TIME_LIMIT = seconds(30)
const RETRY_AFTER = seconds(30)

/**
 * Opens each file in a thread of its own, which ends with it: the derivation of a hostile file takes seconds, and
 * nothing that was decrypted outlives it.
 *
 * @param patience for each file
 */
export function createSignerKeys(patience: Duration = TIME_LIMIT): SignerKeys {
  return {
    openPrivateKey: (file, password) => opened('openPrivateKey', file, password, patience),
    openPkcs12: (file, password) => opened('openPkcs12', file, password, patience),
  }
}

type Outcome<Kind extends keyof SignerKeys> = Awaited<ReturnType<SignerKeys[Kind]>>

async function opened<Kind extends keyof SignerKeys>(
  kind: Kind,
  file: Uint8Array,
  text: string,
  patience: Duration,
): Promise<Outcome<Kind>> {
  // Copies: the caller wipes its own. They are moved to the thread, not copied again.
  const task: OpeningTask = {
    kind,
    file: new Uint8Array(file),
    password: new TextEncoder().encode(text),
  }
  const worker = new Worker(new URL('./signer-keys/worker.ts', import.meta.url), {
    workerData: task,
    transferList: [task.file.buffer, task.password.buffer] as ArrayBuffer[],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  })
  try {
    const [outcome] = await once(worker, 'message', { signal: AbortSignal.timeout(patience) })
    return outcome
  } catch (error) {
    throw isLate(error) ? tooLate(patience) : error
  } finally {
    await worker.terminate()
  }
}

const isLate = (error: unknown) => error instanceof Error && error.name === 'AbortError'

const tooLate = (patience: Duration) =>
  new Problem('too-many-attempts', `a key was not opened within ${patience} ms`, {
    retryAfter: RETRY_AFTER,
  })

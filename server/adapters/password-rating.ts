import { Worker } from 'node:worker_threads'
import type { PasswordRating, PasswordWarning } from '#server/domain/identity/password.ts'
import { type Duration, minutes, seconds } from '#server/domain/time.ts'
import type { RatingAnswer, RatingTask } from './password-rating/task.ts'
import { createQueue } from './queue.ts'

const MOST_WAITING = 32
const TIME_LIMIT = seconds(10)
/** The dictionaries take some 70 MB: the thread ends after so long without a question. */
const IDLE = minutes(1)

/**
 * Estimates in a thread of its own how hard a password is to guess: an unusual one takes most of a second,
 * in which all other requests would wait. The thread starts with the first question and ends when idle.
 *
 * The function that it returns throws `too-many-attempts` when too many wait already.
 */
export function createPasswordRating(idle: Duration = IDLE) {
  const { inTurn } = createQueue({ name: 'password-ratings', places: 1, waiting: MOST_WAITING })
  let worker: Worker | undefined
  let end: NodeJS.Timeout | undefined

  function stop() {
    void worker?.terminate()
    worker = undefined
  }

  return async function rate(
    password: string,
    words: readonly string[],
    { isPatient = false }: { isPatient?: boolean } = {},
  ): Promise<PasswordRating> {
    const work = async () => {
      clearTimeout(end)
      worker ??= startWorker()
      try {
        return toRating(await ask(worker, { password, words }))
      } catch (error) {
        stop()
        throw error
      } finally {
        end = setTimeout(stop, idle).unref()
      }
    }
    return await inTurn(work, { isPatient })
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./password-rating/worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
  })
  worker.unref()
  return worker
}

function ask(worker: Worker, task: RatingTask): Promise<RatingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RatingAnswer>()
  const late = setTimeout(() => reject(new Error('a password was not rated in time')), TIME_LIMIT)
  worker.once('message', resolve).once('error', reject)
  worker.postMessage(task)
  return promise.finally(() => {
    clearTimeout(late)
    worker.off('message', resolve).off('error', reject)
  })
}

const WARNINGS: Record<string, PasswordWarning> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  sequences: 'sequence',
  recentYears: 'dates',
  dates: 'dates',
  namesByThemselves: 'names',
  commonNames: 'names',
  wordByItself: 'words',
}

function toRating({ score, warning, dictionaries, pattern }: RatingAnswer): PasswordRating {
  const kind = WARNINGS[warning ?? '']
  return {
    score,
    isTooCommon: score < 3 && dictionaries.includes('passwords-common'),
    ...(kind && { warning: kind }),
    ...(pattern && { pattern }),
  }
}
